/**
 * Quickly scans the text of a page for imports and links, without parsing it. Code is skipped: fences, code spans,
 * comments, template strings, `<script>` and `<style>`.
 */
import { createForwardSearch } from '../../base/text/forward-search.ts'
import { createLineFinder, type LineFinder } from '../../base/text/text-lines.ts'
import { detach } from '../text.ts'
import { findImports, type ScannedImport } from './scan-imports.ts'
import { markdownLinks } from './scan-links.ts'

export interface PageScan {
  imports: readonly ScannedImport[]
  links: readonly ScannedLink[]
}

export interface ScannedLink {
  href: string
  line: number
  /** `image` for embedded content, `link` for destinations. */
  use: 'link' | 'image'
  isSpaced?: true
}

/** Matches the start of code: a fence at the start of a line, else a code span, a comment or a raw element. */
const CODE_START =
  /^([ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t>]{1,20}){0,6})(`{3,}|~{3,})|`+|\{\s*\/\*|\{\s*`|<!--|<(script|style)\b|\\./gm
/** Maximum distance to search for the end of a code span or template string, in characters. */
const MAX_SPAN = 20_000
const MAX_TEMPLATE_CHARACTERS = 200_000
const MAX_BACKTICKS = 32
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\r\n]+\]:[ \t]*(?:<([^>\n]*)>|([^\s<]\S*))[ \t]*(?:["'(][^\n]*)?$/gm
const ATTRIBUTE = /(?<=[\s"'}])(href|src|img|poster)\s*=\s*(?:\{\s*)?(["'])([^"'\n]*)\2/g

/** `bodyOffset` is the end of the frontmatter; line numbers count from the start of the file. */
export function scanPage(text: string, bodyOffset: number): PageScan {
  const body = maskCode(text, bodyOffset)
  const lines = createLineFinder(text)
  return { imports: findImports(body, lines), links: findLinks(body, lines) }
}

export function maskCode(text: string, bodyOffset: number): string {
  // The body starts on a new line.
  const parts: string[] = bodyOffset > 0 ? [`${' '.repeat(bodyOffset - 1)}\n`] : []
  const ahead = lookAhead(text)
  let copiedUntil = bodyOffset
  CODE_START.lastIndex = bodyOffset
  for (let found = CODE_START.exec(text); found; found = CODE_START.exec(text)) {
    const end = endOfCode(text, found, ahead)
    if (end === null) continue
    parts.push(text.slice(copiedUntil, found.index), blank(text, found.index, end))
    copiedUntil = end
    // Does not consume the line start, because another fence may follow directly.
    CODE_START.lastIndex = end
  }
  parts.push(text.slice(copiedUntil))
  return parts.join('')
}

/** Finds the ends of code; must be queried with ascending positions. */
interface Ahead {
  /** Returns the position after the next occurrence of `mark`; -1 if there is none. */
  after(mark: '*/' | '-->' | '>' | '</script' | '</style', from: number): number
  /** Returns the start of the next run of this many backticks; -1 if there is none. */
  backticks(length: number, from: number): number
  emptyLine(from: number): number
}

function lookAhead(text: string): Ahead {
  const marks = new Map<string, (from: number) => number>()
  const runs = new Map<number, (from: number) => number>()
  const remembered = <Key>(known: Map<Key, (from: number) => number>, key: Key, pattern: RegExp) => {
    const next = known.get(key) ?? createForwardSearch(text, pattern)
    known.set(key, next)
    return next
  }
  return {
    after(mark, from) {
      const at = remembered(marks, mark, new RegExp(mark.replace('*', '\\*'), 'g'))(from)
      return at === -1 ? -1 : at + mark.length
    },
    backticks: (length, from) =>
      remembered(runs, length, new RegExp(`(?<!\`)\`{${length}}(?!\`)`, 'g'))(from),
    emptyLine: createForwardSearch(text, /\n[ \t]*\r?\n/g),
  }
}

/** Returns the end of the code that starts at `found`; null if it is not code (lone backtick, escaped character). */
function endOfCode(text: string, found: RegExpExecArray, ahead: Ahead): number | null {
  const mark = found[0]
  const after = found.index + mark.length
  if (found[2] !== undefined) return endOfFence(text, found.index, after, found[2], ahead)
  if (mark.startsWith('`')) return endOfSpan(after, mark.length, ahead)
  if (mark.startsWith('{')) {
    return mark.endsWith('*') ? toOffset(ahead.after('*/', after)) : endOfTemplate(text, after)
  }
  if (mark === '<!--') return toOffset(ahead.after('-->', after))
  if (found[3] === 'script' || found[3] === 'style') {
    const end = ahead.after(`</${found[3]}`, after)
    const tagEnd = ahead.after('>', after)
    return end === -1 || (tagEnd !== -1 && text[tagEnd - 2] === '/') ? null : toOffset(end)
  }
  return null
}

function toOffset(found: number): number | null {
  return found === -1 ? null : found
}

function endOfFence(text: string, start: number, after: number, fence: string, ahead: Ahead): number | null {
  const lineEnd = endOfLine(text, after)
  // If the line contains further backticks, this is not a fence but a code span at the start of a line.
  if (fence.startsWith('`') && text.slice(after, lineEnd).includes('`')) {
    return endOfSpan(after, fence.length, ahead)
  }
  const closing = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t]*\\r?$`, 'gm')
  closing.lastIndex = Math.max(lineEnd, start)
  const found = closing.exec(text)
  return found ? found.index + found[0].length : text.length
}

/** A code span ends at the same number of backticks as it started with, in the same paragraph. */
function endOfSpan(after: number, length: number, ahead: Ahead): number | null {
  // Longer runs of backticks do not occur in practice, and each length costs a separate search.
  if (length > MAX_BACKTICKS) return null
  const at = ahead.backticks(length, after)
  if (at === -1 || at - after > MAX_SPAN) return null
  const empty = ahead.emptyLine(after)
  return empty !== -1 && empty < at ? null : at + length
}

function endOfTemplate(text: string, after: number): number | null {
  for (let at = text.indexOf('`', after); at !== -1; at = text.indexOf('`', at + 1)) {
    if (text[at - 1] !== '\\') return at + 1
    if (at - after > MAX_TEMPLATE_CHARACTERS) return null
  }
  return null
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function blank(text: string, start: number, end: number): string {
  const code = text.slice(start, end)
  const lineCount = code.split('\n').length
  // Line breaks are preserved, so that patterns for line starts also work after a fence.
  return lineCount === 1
    ? ' '.repeat(end - start)
    : code.replace(/[^\n]+/g, (line) => ' '.repeat(line.length))
}

function findLinks(body: string, lines: LineFinder): ScannedLink[] {
  const links: ScannedLink[] = []
  const add = (offset: number, href: string | undefined, use: ScannedLink['use'], isSpaced = false) => {
    const link = { href: detach(href ?? ''), line: lines.lineOf(offset), use }
    if (href) links.push(isSpaced ? { ...link, isSpaced } : link)
  }
  for (const { href, isImage, isSpaced, start, end } of markdownLinks(body)) {
    // The URL may be on a later line than the label.
    add(end - 1, href, isImage ? 'image' : 'link', isSpaced)
    const inner = isImage ? null : /!\[[^[\]]*\]\(\s*([^\s()]+)/.exec(body.slice(start, end))
    if (inner) add(start, inner[1], 'image')
  }
  for (const found of body.matchAll(DEFINITION)) add(found.index, found[1] ?? found[2], 'link')
  for (const found of body.matchAll(ATTRIBUTE))
    add(found.index, found[3], found[1] === 'href' ? 'link' : 'image')
  return links.sort((a, b) => a.line - b.line)
}
