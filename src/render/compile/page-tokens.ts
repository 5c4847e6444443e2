/**
 * Finds the syntax of a page in one pass before parsing: tags, expressions, comments, modules, formulas,
 * code. Skips URLs of links and escaped characters.
 */
import { createForwardSearch } from '../../base/text/forward-search.ts'
import { createReader, type Reader, type Tag } from './read-tag.ts'

export type PageToken = { start: number; end: number } & (
  | { kind: 'tag'; tag: Tag }
  | { kind: 'code' | 'expression' | 'comment' | 'module' | 'address' | 'doctype' }
  /** Inline formula, or a block with text on the lines of its delimiters. */
  | { kind: 'math'; tex: string; isBlock: boolean }
  /** Complete `<script>` or `<style>` element. */
  | { kind: 'raw'; tag: Tag; content: string; close: number }
  /** End of a header or delimiter row that has fewer cells than another row of the table. */
  | { kind: 'columns'; missing: number; cell: string }
  /** Character without a meaning in the syntax, or a word that does not start an import or export. */
  | { kind: 'mark' }
)

export type TagToken = PageToken & { kind: 'tag' }

export interface TokenRules {
  /** Ranges of code in Markdown, in order. Null for MDX, in which this pass finds the code. */
  code: readonly { start: number; end: number }[] | null
  /** Returns whether the position is in an HTML block, where backslashes are literal. */
  isInHtml?(at: number): boolean
  hasMath: boolean
  isModule(text: string): boolean
}

const marksOf = () =>
  /^(?:import|export)(?=[ \t])|^[ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t>]{1,20}){0,6}(`{3,}|~{3,})|`+|\\[^\n]|\]\(|^ {0,3}\[(?!\^)[^\]\r\n]+\]:[^\n]*|[<{$]/gm
const LINK_TAIL =
  /\]\(\s*(?:(?:<[^<>\n]*>|(?:[^\s<>()]|\([^\s()]*\))+)(?:\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\)))?\s*)?\)/y
/** Matches the latest possible end of a paragraph. */
const createParagraphEndPattern = () =>
  /\n(?=[ \t>]*(?:\n|#{1,6}[ \t]|(?:[-*+]|\d{1,9}[.)])[ \t]|`{3}|~{3}|\||<\/?[A-Z]|$))/g
const ADDRESS = /<((?:https?|mailto|ftp):[^\s<>]+|[\w.+-]+@[\w-]+\.[\w.-]+)>/y
const DOCTYPE = /<!doctype[^<>\n]*>/iy
/** Follows Pandoc: no space inside the delimiters, no digit after the closing one. */
const INLINE_MATH = /\$((?![\s$])(?:\\.|[^$\\\n])*(?:\\.|[^\s$\\]))\$(?![\d$])/y
const RAW_TEXT_TAG = /^(?:script|style)$/
const MAX_BACKTICKS = 32
const MAX_FORMULA_CHARACTERS = 2000

interface Scan extends TokenRules {
  text: string
  reader: Reader
  found: PageToken[]
  paragraphEnd(from: number): number
  next(pattern: string, from: number): number
}

/** Returns the tokens in order. They are not nested. */
export function readTokens(text: string, rules: TokenRules): PageToken[] {
  const marks = marksOf()
  const ahead = new Map<string, (from: number) => number>()
  const scan: Scan = {
    ...rules,
    text,
    reader: createReader(text),
    found: [],
    paragraphEnd: createForwardSearch(text, createParagraphEndPattern()),
    next(pattern, from) {
      const next = ahead.get(pattern) ?? createForwardSearch(text, new RegExp(pattern, 'gm'))
      ahead.set(pattern, next)
      return next(from)
    },
  }
  const skipCode = codeSkipper(rules.code)
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const end = skipCode(found.index) ?? readMark(scan, found)
    // Continues directly at the end of the token, because another fence may start there.
    marks.lastIndex = Math.max(end, found.index + 1)
  }
  const tables = readTables(text, scan.found)
  return tables.length === 0 ? scan.found : [...scan.found, ...tables].sort((a, b) => a.start - b.start)
}

function codeSkipper(code: TokenRules['code']): (at: number) => number | null {
  let next = 0
  return (at) => {
    while (code && next < code.length && (code[next]?.end ?? 0) <= at) next++
    const codeRange = code?.[next]
    return codeRange && codeRange.start <= at ? codeRange.end : null
  }
}

/** Adds the token at a match. Returns the position where the search continues. */
function readMark(scan: Scan, found: RegExpExecArray): number {
  const { text, code } = scan
  const [mark, fence] = found
  const at = found.index
  const after = at + mark.length
  const first = mark[0]
  if (first === '<') return readAngle(scan, at)
  if (first === '$') return readDollar(scan, at)
  if (first === ']') {
    LINK_TAIL.lastIndex = at
    return LINK_TAIL.exec(text) ? LINK_TAIL.lastIndex : after
  }
  if (first === '\\') return scan.isInHtml?.(at) ? at + 1 : after
  if (mark.trimStart().startsWith('[')) return after
  if (first === '{') return readExpression(scan, at)
  if (code !== null) return after
  if (fence === undefined && first !== '`') return readModule(scan, at)
  const end = fence === undefined ? endOfSpan(scan, after, mark.length) : endOfFence(scan, after, fence)
  return add(scan, { kind: 'code', start: at, end })
}

function endOfFence(scan: Scan, after: number, fence: string): number {
  const lineEnd = endOfLine(scan.text, after)
  // Backticks after a backtick fence on the same line indicate a code span.
  if (fence.startsWith('`') && scan.text.slice(after, lineEnd).includes('`'))
    return endOfSpan(scan, after, fence.length)
  const closing = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t]*$`, 'gm')
  closing.lastIndex = lineEnd
  return closing.exec(scan.text) ? closing.lastIndex : scan.text.length
}

/** Returns the end of a code span: the same number of backticks in the same paragraph or cell. */
function endOfSpan(scan: Scan, after: number, length: number): number {
  // Each length requires a separate search, and longer runs do not occur in practice.
  if (length > MAX_BACKTICKS) return after
  const at = scan.next(`(?<!\`)\`{${length}}(?!\`)`, after)
  return at !== -1 && at < findInlineEnd(scan, after) ? at + length : after
}

/** Returns the end of the paragraph, heading or cell that contains a position. */
function findInlineEnd(scan: Scan, from: number): number {
  const { text } = scan
  const end = scan.paragraphEnd(from)
  const last = end === -1 ? text.length : end
  const begin = /^[ \t>]*(?:\||#{1,6}[ \t])/.exec(lineBefore(text, from))?.[0]
  if (begin === undefined) return last
  const lineEnd = Math.min(last, endOfLine(text, from))
  const cell = begin.endsWith('|') ? scan.next('(?<!\\\\)\\|', from) : -1
  return cell === -1 ? lineEnd : Math.min(lineEnd, cell)
}

function readAngle(scan: Scan, at: number): number {
  const { text, found, reader } = scan
  for (const [kind, pattern] of [
    ['address', ADDRESS],
    ['doctype', DOCTYPE],
  ] as const) {
    pattern.lastIndex = at
    if (pattern.exec(text)) return add(scan, { kind, start: at, end: pattern.lastIndex })
  }
  if (text.startsWith('<!--', at)) {
    const end = scan.next('-->', at + 4)
    const other = scan.next('<!--', at + 4)
    // If another comment starts before the end, this one is not closed.
    const isClosed = end !== -1 && (other === -1 || other > end)
    if (isClosed) return add(scan, { kind: 'comment', start: at, end: end + 3 })
  }
  const tag = reader.tag(at)
  if (tag === null || (!beginsLine(text, at) && hasEmptyLine(text, at, tag.end)))
    return text[at + 1]?.trim() === '' ? at + 1 : add(scan, { kind: 'mark', start: at, end: at + 1 })
  if (RAW_TEXT_TAG.test(tag.name) && !tag.isClosing && !tag.isSelfClosing) {
    const close = scan.next(`</${tag.name}\\s*>`, tag.end)
    const content = close === -1 ? '' : text.slice(tag.end, close)
    if (close !== -1 && !content.trimStart().startsWith('{')) {
      const end = text.indexOf('>', close) + 1
      found.push({ kind: 'raw', start: at, end, tag, content, close })
      return end
    }
  }
  return add(scan, { kind: 'tag', start: at, end: tag.end, tag })
}

function add(scan: Scan, token: PageToken): number {
  scan.found.push(token)
  return token.end
}

/** Matches an unclosed comment. A comment is unclosed if another one starts before its end. */
const OPEN_COMMENT = /^\{\s*\/\*(?:(?!\*\/)[\s\S])*\{\s*\/\*/

/** Matches id and classes at the end of a heading. */
const HEADING_ATTRIBUTES = /\{[ \t]*[#.][\p{L}\p{N}_-][^{}\n]*\}[ \t]*(?:#+[ \t]*)?(?=\n|$)/uy

export function isHeading(text: string, at: number): boolean {
  const next = lineAt(text, endOfLine(text, at) + 1)
  return (
    /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*#{1,6}[ \t]/.test(lineBefore(text, at)) ||
    /^[ \t>]*(?:=+|-+)[ \t]*$/.test(next)
  )
}

function readExpression(scan: Scan, at: number): number {
  const { text, reader } = scan
  HEADING_ATTRIBUTES.lastIndex = at
  const isInHeading = isHeading(text, at)
  if (isInHeading && HEADING_ATTRIBUTES.test(text)) return HEADING_ATTRIBUTES.lastIndex
  if (scan.code !== null) return isInHeading ? add(scan, { kind: 'mark', start: at, end: at + 1 }) : at + 1
  const end = reader.brace(at)
  const isRead =
    end !== -1 &&
    (beginsLine(text, at) || !hasEmptyLine(text, at, end)) &&
    !OPEN_COMMENT.test(text.slice(at, end)) &&
    reader.isExpression(text.slice(at + 1, end - 1))
  return isRead
    ? add(scan, { kind: 'expression', start: at, end })
    : add(scan, { kind: 'mark', start: at, end: at + 1 })
}

/** Reads statements up to an empty line outside of brackets. Adds a mark if the text is not JavaScript. */
function readModule(scan: Scan, at: number): number {
  const { text, reader, isModule } = scan
  const end = reader.statementsEnd(at)
  if (isModule(text.slice(at, end))) return add(scan, { kind: 'module', start: at, end })
  const empty = scan.next('\\n[ \\t]*(?:\\n|$(?![\\s\\S]))', at)
  const block = text.slice(at, empty === -1 ? text.length : empty)
  const next = /\n(?=(?:import|export)[ \t])/.exec(block)
  const own = next ? block.slice(0, next.index) : block
  if (isModule(own)) return add(scan, { kind: 'module', start: at, end: at + own.length })
  return add(scan, { kind: 'mark', start: at, end: at + 1 })
}

function readDollar(scan: Scan, at: number): number {
  const { text, hasMath } = scan
  if (text[at + 1] !== '$') return readInlineMath(scan, at)
  if (!hasMath) return add(scan, { kind: 'mark', start: at, end: at + 2 })
  const sign = /\$+/y
  sign.lastIndex = at
  const [signs = '$$'] = sign.exec(text) ?? []
  const after = at + signs.length
  const close = scan.next('\\${2,}', after)
  const isOwnLine = beginsLine(text, at)
  if (close === -1) return isOwnLine ? add(scan, { kind: 'mark', start: at, end: after }) : after
  const rest = text.slice(after, endOfLine(text, after))
  if (!isOwnLine || rest.includes('$$')) return close < findInlineEnd(scan, after) ? close + 2 : after
  const end = close + (/\$+/y.exec(text.slice(close))?.[0].length ?? 2)
  const isFence = beginsLine(text, close) && text.slice(end, endOfLine(text, end)).trim() === ''
  if (rest.trim() === '' && isFence) return end
  if (hasEmptyLine(text, at, close)) return add(scan, { kind: 'mark', start: at, end: after })
  return add(scan, { kind: 'math', start: at, end, tex: text.slice(after, close), isBlock: true })
}

function readInlineMath(scan: Scan, at: number): number {
  const tex = scan.hasMath ? inlineFormula(scan.text, at) : null
  if (tex === null) return at + 1
  return add(scan, { kind: 'math', start: at, end: at + tex.length + 2, tex, isBlock: false })
}

/** Returns the formula that starts at a dollar sign, or null. */
export function inlineFormula(text: string, at: number): string | null {
  INLINE_MATH.lastIndex = at
  const lineEnd = Math.min(endOfLine(text, at), at + MAX_FORMULA_CHARACTERS)
  const [whole, tex] = INLINE_MATH.exec(text.slice(0, lineEnd)) ?? []
  return whole !== undefined && tex !== undefined && looksLikeTex(tex, text[at + whole.length]) ? tex : null
}

/** Returns false for prices and variables: `$5-$10`, `$HOME/$USER`. */
function looksLikeTex(written: string, next: string | undefined): boolean {
  const tex = written.replace(/[A-Z]{2,}\d*(?:_[A-Z\d]+)*/g, '')
  if (/\\[A-Za-z{},;!|]/.test(tex)) return true
  if (next !== undefined && /[\p{L}_({]/u.test(next)) return tex.includes('^') || /^\p{L}$/u.test(tex)
  return /^\p{L}'*$/u.test(tex) || /[\^_={}<>+|]|[\p{L})\d] ?[-*/] ?[\p{L}(\d]/u.test(tex)
}

/** Maximum number of characters to search backwards for the start of a line. */
const MAX_LEAD_CHARACTERS = 1000

/**
 * Returns the text between the start of the line and a position. Shortens a long line, with a leading `…`.
 */
export function lineBefore(text: string, at: number): string {
  const lead = text.slice(Math.max(0, at - MAX_LEAD_CHARACTERS), at)
  const start = lead.lastIndexOf('\n')
  return start !== -1 ? lead.slice(start + 1) : at > MAX_LEAD_CHARACTERS ? `…${lead}` : lead
}

export function beginsLine(text: string, at: number): boolean {
  return /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*$/.test(lineBefore(text, at))
}

function hasEmptyLine(text: string, from: number, to: number): boolean {
  return /\n[ \t]*\n/.test(text.slice(from, to))
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** Matches the delimiter row of a table. */
const COLUMNS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/gm

/** Finds table headers with fewer cells than another row, because the extra cells of that row would be lost. */
function readTables(text: string, found: readonly PageToken[]): PageToken[] {
  const tables: PageToken[] = []
  const isCode = codeSkipper(
    found.filter(({ kind }) => kind === 'code' || kind === 'math' || kind === 'comment'),
  )
  for (const { index, 0: marks } of text.matchAll(COLUMNS)) {
    const headEnd = index - 1
    const head = text.slice(text.lastIndexOf('\n', headEnd - 1) + 1, Math.max(0, headEnd))
    const columns = countCells(marks)
    if (isCode(index) !== null || !head.includes('|') || countCells(head) !== columns) continue
    let most = columns
    let at = index + marks.length + 1
    for (let row = lineAt(text, at); isTableRow(row); row = lineAt(text, at)) {
      most = Math.max(most, countCells(row))
      at += row.length + 1
    }
    if (most === columns) continue
    const marksEnd = index + marks.length
    const more = { kind: 'columns' as const, missing: most - columns }
    tables.push({ ...more, start: headEnd, end: headEnd, cell: ' ' })
    tables.push({ ...more, start: marksEnd, end: marksEnd, cell: '---' })
  }
  return tables
}

function lineAt(text: string, at: number): string {
  return text.slice(at, endOfLine(text, at))
}

function isTableRow(line: string): boolean {
  return line.includes('|') && line.replace(/^[ \t>]+/, '') !== ''
}

function countCells(row: string): number {
  const inner = row.replace(/^[ \t>]*\|?/, '').trimEnd()
  return inner.split(/(?<!\\)\|/).length - (/(?<!\\)\|$/.test(inner) ? 1 : 0)
}
