/** Converts blocks that MDX does not support: indented code, `<pre>`, scripts and styles. */
import type { Notes } from '../notes.ts'
import { dedent, type Line, measureIndent } from './blocks.ts'
import { toMdxComment } from './prose.ts'

export interface RawBlock {
  out: string[]
  length: number
}

export interface ListState {
  isInList: boolean
}

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)|^ {0,3}\[\^/

/** Updates the list state for a line, because indented lines below a list item are not code. */
export function updateListState(state: ListState, text: string, isAfterEmpty: boolean): void {
  if (LIST_ITEM.test(text)) state.isInList = true
  else if (isAfterEmpty && text.trim() !== '' && measureIndent(text) === 0) state.isInList = false
}

/** Converts indented code to a fenced block, because MDX does not support indented code. */
export function indentedCode(lines: readonly Line[], at: number, state: ListState): RawBlock | null {
  const isCode = (line: Line | undefined) =>
    line !== undefined && line.text.trim() !== '' && measureIndent(line.text) >= 4
  if (state.isInList || !isCode(lines[at]) || (at > 0 && lines[at - 1]?.text.trim() !== '')) return null
  let end = at
  for (let next = at; next < lines.length; next++) {
    if (isCode(lines[next])) end = next + 1
    else if (lines[next]?.text.trim() !== '') break
  }
  const code = lines.slice(at, end).map(({ text }) => dedent(text, 4))
  return { out: ['', ...fenced(code), ''], length: end - at }
}

function fenced(code: readonly string[]): string[] {
  const longest = Math.max(2, ...code.flatMap((line) => /^\s{0,100}(`{3,})/.exec(line)?.[1]?.length ?? 0))
  const mark = '`'.repeat(longest + 1)
  return [`${mark}text`, ...code, mark]
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}
const MAX_RAW_LINES = 5000

/** Converts `<pre>` to a code block, and `<script>` and `<style>` to a comment. */
export function rawElement(lines: readonly Line[], at: number, notes: Notes, file: string): RawBlock | null {
  const first = lines[at] as Line
  const name = /^[ \t]{0,20}<(pre|script|style)\b/i.exec(first.text)?.[1]?.toLowerCase()
  if (name === undefined) return null
  const closing = `</${name}`
  let end = at
  while (end < lines.length && end - at < MAX_RAW_LINES && !lines[end]?.text.toLowerCase().includes(closing))
    end++
  if (end >= lines.length || end - at >= MAX_RAW_LINES) return null
  const text = lines
    .slice(at, end + 1)
    .map((line) => line.text)
    .join('\n')
  const length = end - at + 1
  if (name !== 'pre') {
    notes.add('style', { file, line: first.number }, `A <${name}> element is converted to a comment.`)
    return { out: ['', toMdxComment(text), ''], length }
  }
  const code = text
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|nbsp|#39);/g, (_, entity: string) => ENTITIES[entity] ?? '')
  return { out: ['', ...fenced(code.replace(/^\n|\n$/g, '').split('\n')), ''], length }
}
