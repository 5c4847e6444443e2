/**
 * The site's own instructions for agents, from files that only people with write access to the branch can change.
 * Short files are included whole; of longer ones the beginning and the headings, and the agent reads the sections
 * that it needs.
 */
import { posix } from 'node:path'
import { plural } from './result-text.ts'

const NAMES = ['AGENTS.md', '.mintlify/AGENTS.md', '.octavo/agent.md']
/** Maximum length of a file that is included whole, and length of the beginning of a longer one, in characters. */
const MAX_WHOLE_CHARACTERS = 12_000
const BEGINNING_CHARACTERS = 4000
const MAX_SECTIONS = 300

export interface GuideSection {
  /** Heading and file name. */
  title: string
  text: string
}

export interface Instructions {
  /** Text for the system prompt; empty when there are no instructions. */
  text: string
  /** Sections of files that are too long to include, numbered from 1. */
  sections: GuideSection[]
}

/**
 * `readFile` returns a file of the repository by its path, at the commit on which the change is based; null when it
 * does not exist. The repository's files come before the more specific ones of the docs folder.
 */
export async function readInstructions(
  readFile: (path: string) => Promise<string | null>,
  docsFolder: string,
): Promise<Instructions> {
  const folder = posix.normalize(docsFolder || '.')
  const folders = [...new Set(['', folder === '.' ? '' : folder])]
  const parts: string[] = []
  const sections: GuideSection[] = []
  for (const path of folders.flatMap((baseFolder) => NAMES.map((name) => posix.join(baseFolder, name)))) {
    const text = (await readFile(path))?.trim()
    if (!text) continue
    if (text.length <= MAX_WHOLE_CHARACTERS) parts.push(`From ${path}:\n${text}`)
    else parts.push(describeLongFile(path, text, sections))
  }
  return { text: parts.join('\n\n'), sections }
}

function describeLongFile(path: string, text: string, sections: GuideSection[]): string {
  const lines: string[] = []
  for (const section of splitSections(path, text).slice(0, MAX_SECTIONS - sections.length)) {
    sections.push(section)
    lines.push(`${sections.length}. ${section.title} (${plural(section.text.length, 'character')})`)
  }
  return `From ${path}, which is long: its beginning, and its sections. Before you write, read those that your task concerns with read_guide.\n${text.slice(0, BEGINNING_CHARACTERS)}\n…\nSections:\n${lines.join('\n')}`
}

/** Splits a text at its headings, ignoring those inside code blocks. */
function splitSections(path: string, text: string): GuideSection[] {
  const sections: { title: string; lines: string[] }[] = [{ title: `${path}: beginning`, lines: [] }]
  let fence = ''
  for (const line of text.split('\n')) {
    const [mark = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? []
    if (mark !== '') fence = fence === '' ? mark.trim().slice(0, 3) : mark.includes(fence) ? '' : fence
    const [, heading] = fence === '' ? (/^#{1,6} +(\S.*)$/.exec(line) ?? []) : []
    if (heading !== undefined) sections.push({ title: heading.slice(0, 200), lines: [] })
    sections.at(-1)?.lines.push(line)
  }
  return sections
    .map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }))
    .filter((section) => section.text !== '')
}
