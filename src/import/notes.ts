/**
 * Content that could not be imported, with its location. Represented as Problems, which can be sorted and printed.
 */
import type { Problem } from '../base/errors/problem.ts'

/** Heading in the report, and advice for each kind. */
export const NOTE_KINDS = {
  expression: {
    title: 'Values that a program computes',
    remedy: 'Work the value out by hand and write it into docs.json, or into the page.',
  },
  setting: {
    title: 'Settings without a counterpart',
    remedy: 'Look through content/site in the documentation for what comes nearest.',
  },
  navigation: {
    title: 'Navigation',
    remedy: 'Correct the entry in docs.json.',
  },
  plugin: {
    title: 'Plugins and extensions',
    remedy: 'See whether the site needs what it did; nothing of it was run.',
  },
  component: {
    title: 'Components',
    remedy: 'Write it as one of the built-in components, or as a component of your own below snippets/.',
  },
  template: {
    title: 'Templates and macros',
    remedy: 'Replace the expression, which stands in the page as text, by what it gave.',
  },
  style: {
    title: 'Styles and scripts',
    remedy: 'Write what is still needed into a .css or .js file in the new folder, which all pages load.',
  },
  link: {
    title: 'Links that lead nowhere',
    remedy: 'Correct the address in the page; it stands there as it was.',
  },
  file: {
    title: 'Files that were left out',
    remedy: 'Copy the file by hand if a page needs it.',
  },
  page: {
    title: 'Pages that became something else',
    remedy: 'Look at the page in the preview.',
  },
  syntax: {
    title: 'Marks in pages',
    remedy: 'Look at the place in the preview, and write it as you want it.',
  },
} as const satisfies Record<string, { title: string; remedy: string }>

export type NoteKind = keyof typeof NOTE_KINDS

export interface NoteLocation {
  file: string
  line: number | null
}

export interface Notes {
  /** `remedy` overrides the advice for the kind. */
  add(kind: NoteKind, place: NoteLocation, message: string, remedy?: string): void
  /** Returns the notes sorted by file and line, without duplicates. */
  all(): Problem[]
}

/** Maximum number of stored notes; the rest is counted. */
const MAX_NOTES = 50_000
/** Maximum length of a message, which may quote text of arbitrary length. */
const MAX_MESSAGE = 400

export function createNotes(): Notes {
  const notes = new Map<string, Problem>()
  return {
    add(kind, { file, line }, message, remedy = NOTE_KINDS[kind].remedy) {
      const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
      const key = `${file}:${line}:${kind}:${text}`
      if (notes.size >= MAX_NOTES || notes.has(key)) return
      notes.set(key, { file, line, code: `import.${kind}`, level: 'warning', message: text, remedy })
    },
    all: () =>
      [...notes.values()].sort(
        (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
      ),
  }
}

/** Shortens untrusted text to one line for use in a sentence. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
