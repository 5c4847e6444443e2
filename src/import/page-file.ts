/** Reads the fields and body of an imported page, and writes the converted page. */
import { stringify } from 'yaml'
import type { Problem } from '../base/errors/problem.ts'
import { parseBody } from '../render/compile/compile-repair.ts'
import { parseFrontmatter } from '../site/pages/frontmatter.ts'
import { type Line, readFence, toLines } from './markdown/blocks.ts'
import type { Notes } from './notes.ts'
import type { Fields } from './values.ts'

/** Longer pages are not repaired here. The renderer parses them in a process that can be terminated. */
const MAX_REPAIR_CHARACTERS = 200_000

export interface SourcePage {
  file: string
  fields: Fields
  lines: Line[]
}

export function readPage(notes: Notes, file: string, text: string): SourcePage {
  const problems: Problem[] = []
  const { fields, bodyOffset, bodyLine } = parseFrontmatter(problems, file, text)
  for (const { line, message, remedy } of problems) notes.add('page', { file, line }, message, remedy)
  return { file, fields, lines: toLines(text.slice(bodyOffset), bodyLine) }
}

/** Returns the page, without empty fields. Invalid MDX becomes plain text and results in notes. */
export function writePage(notes: Notes, file: string, fields: Fields, body: string): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const head =
    given.length === 0 ? '' : `---\n${stringify(Object.fromEntries(given), { lineWidth: 0 })}---\n\n`
  const trimmed = `${body.replace(/^(?:[ \t]*\n)+/, '').trimEnd()}\n`
  const repaired = repairBody(trimmed)
  const offset = head.split('\n').length - 1
  for (const line of repaired.lines)
    notes.add(
      'syntax',
      file,
      line === null
        ? 'The page is not valid MDX. Invalid parts were repaired where possible.'
        : `Line ${line + offset} of the new page was not valid MDX. Its tags and braces are now text.`,
    )
  return head + repaired.text
}

/** Removes and returns the first heading if no text precedes it. */
export function extractTitle(lines: Line[]): { title: string; line: number } | null {
  const at = findEndOfImports(lines)
  const first = lines[at]
  if (!first || readFence(first.text)) return null
  const atx = /^ {0,3}#(?=[ \t])/.exec(first.text)
  if (atx) {
    lines.splice(at, 1)
    return { title: plainTitle(first.text.slice(atx[0].length)), line: first.number }
  }
  if (/^=+[ \t]*$/.test(lines[at + 1]?.text ?? '') && first.text.trim() !== '') {
    lines.splice(at, 2)
    return { title: plainTitle(first.text), line: first.number }
  }
  return null
}

function findEndOfImports(lines: readonly Line[]): number {
  let isInside = false
  for (let at = 0; at < lines.length; at++) {
    const text = (lines[at]?.text ?? '').trim()
    if (!isInside && text !== '' && !/^import[\s{"'*]/.test(text)) return at
    isInside = text !== '' && !/["'];?$/.test(text)
  }
  return lines.length
}

const MAX_TITLE = 1000

export function plainTitle(text: string): string {
  return text
    .slice(0, MAX_TITLE)
    .trim()
    .replace(/[ \t]#{1,6}$/, '')
    .replace(/\{:?[ \t]?[#.][^{}]*\}$/, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/`|\*\*|__/g, '')
    .replace(/\\([^\w\s])/g, '$1')
    .trim()
}

interface RepairResult {
  text: string
  /** Numbers of the repaired lines in the body, starting at 1; null if the repair concerns the whole page. */
  lines: (number | null)[]
}

function repairBody(body: string): RepairResult {
  if (body.length > MAX_REPAIR_CHARACTERS) return { text: body, lines: [] }
  const { text, notices } = parseBody(body, { isMarkdownFile: false, hasMath: true })
  const mistakes = notices.filter(({ code }) => code === 'mdx.syntax' || code === 'mdx.angle_brackets')
  if (mistakes.length === 0) return { text: body, lines: [] }
  return { text, lines: [...new Set(mistakes.map(({ line }) => line))] }
}
