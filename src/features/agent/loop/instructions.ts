/**
 * The site's own instructions for agents, from files that only people with write access to the branch can
 * change. Short files are included whole. For longer files, only the beginning and the headings are included,
 * and the agent reads the sections that it needs.
 */
import { posix } from 'node:path'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { plural } from './result-text.ts'

const NAMES = ['AGENTS.md', '.mintlify/AGENTS.md', '.octavo/agent.md']
/** Maximum characters of a file that is included whole, and of the beginning of a longer file. */
const MAX_WHOLE_CHARACTERS = 12_000
const BEGINNING_CHARACTERS = 4000
const MAX_SECTIONS = 300

export interface GuideSection {
  title: string
  text: string
}

export interface Instructions {
  text: string
  /** Sections of files that are too long to include, numbered from 1. */
  sections: GuideSection[]
}

/**
 * `readFiles` returns those files of the repository that exist, by path, at the commit on which the change is
 * based. The repository's files come before the more specific ones of the docs folder.
 */
export async function readInstructions(
  readFiles: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  docsFolder: string,
): Promise<Instructions> {
  const folder = posix.normalize(docsFolder || '.')
  const folders = [...new Set(['', folder === '.' ? '' : folder])]
  const parts: string[] = []
  const sections: GuideSection[] = []
  const paths = folders.flatMap((baseFolder) => NAMES.map((name) => posix.join(baseFolder, name)))
  const files = await readFiles(paths)
  for (const path of paths) {
    const text = files.get(path)?.trim()
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
  return `From ${path}, which is long: its beginning and its sections. Before you write, read the sections that apply to your task with read_guide.\n${text.slice(0, BEGINNING_CHARACTERS)}\n…\nSections:\n${lines.join('\n')}`
}

function splitSections(path: string, text: string): GuideSection[] {
  const headings = [...maskCode(text, 0).matchAll(/^#{1,6} +\S[^\n]*$/gm)]
  const starts = [0, ...headings.map(({ index }) => index)]
  return starts
    .map((start, number) => {
      const section = text.slice(start, starts[number + 1]).trim()
      const [heading = ''] = section.split('\n', 1)
      const title = number === 0 ? `${path}: beginning` : heading.replace(/^#+ +/, '').slice(0, 200)
      return { title, text: section }
    })
    .filter((section) => section.text !== '')
}
