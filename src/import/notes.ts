/**
 * Notes about content that could not be imported. Represented as problems, which can be sorted and printed.
 */
import type { Problem } from '../base/errors/problem.ts'

/** Report heading and default remedy for each kind of note. */
export const NOTE_KINDS = {
  expression: {
    title: 'Computed values',
    remedy: 'Enter the resulting value in docs.json or in the page.',
  },
  setting: {
    title: 'Settings without an equivalent',
    remedy: 'Look for the closest setting in content/site in the documentation.',
  },
  navigation: {
    title: 'Navigation',
    remedy: 'Correct the entry in docs.json.',
  },
  plugin: {
    title: 'Plugins and extensions',
    remedy: 'Plugins are not run. Check whether the site needs their output.',
  },
  component: {
    title: 'Components',
    remedy: 'Use a built-in component, or write your own in snippets/.',
  },
  template: {
    title: 'Templates and macros',
    remedy: 'Expressions are shown as text. Replace them with their output.',
  },
  style: {
    title: 'Styles and scripts',
    remedy: 'Copy the parts that you need to a .css or .js file in the new folder. All pages load it.',
  },
  link: {
    title: 'Broken links',
    remedy: 'Correct the link in the page. It was imported unchanged.',
  },
  file: {
    title: 'Skipped files',
    remedy: 'Copy the file manually if a page needs it.',
  },
  page: {
    title: 'Converted pages',
    remedy: 'Check the page in the preview.',
  },
  syntax: {
    title: 'Unsupported syntax',
    remedy: 'Check the text in the preview, and correct it.',
  },
} as const satisfies Record<string, { title: string; remedy: string }>

export type NoteKind = keyof typeof NOTE_KINDS

export interface NoteLocation {
  file: string
  line: number | null
}

export interface Notes {
  /** Adds a note for a line or, given a path, for a file. `remedy` overrides the default of the kind. */
  add(kind: NoteKind, location: NoteLocation | string, message: string, remedy?: string): void
  /** Returns the notes, sorted by file and line, without duplicates. */
  all(): Problem[]
}

/** Maximum number of stored notes. Further notes are only counted. */
const MAX_NOTES = 50_000
/** Maximum length of a message, which may quote long text. */
const MAX_MESSAGE = 400

export function createNotes(): Notes {
  const notes = new Map<string, Problem>()
  return {
    add(kind, location, message, remedy = NOTE_KINDS[kind].remedy) {
      const { file, line } = typeof location === 'string' ? { file: location, line: null } : location
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

/** Shortens text from the imported site to one line for use in a message. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
