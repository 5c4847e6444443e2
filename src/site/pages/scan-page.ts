/**
 * A fast look over the text of a page, without parsing it: what it imports and where it links to. Code is passed
 * over: fences, code spans, comments, template strings, `<script>` and `<style>`.
 */
import { nextOf } from '../../base/text/next-of.ts'
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
  /** `image` for what a page shows, `link` for where it leads. */
  use: 'link' | 'image'
  /** See `MarkdownLink`. */
  isSpaced?: true
}

/** Where something begins that is no prose: at the line start a fence, else a code span, a comment, a raw element. */
const CODE_START =
  /^([ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t>]{1,20}){0,6})(`{3,}|~{3,})|`+|\{\s*\/\*|\{\s*`|<!--|<(script|style)\b|\\./gm
/** Characters after which the end of a code span or a template string is no longer looked for. */
const MAX_SPAN = 20_000
const MAX_TEMPLATE = 200_000
const MAX_BACKTICKS = 32
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\r\n]+\]:[ \t]*(?:<([^>\n]*)>|([^\s<]\S*))[ \t]*(?:["'(][^\n]*)?$/gm
const ATTRIBUTE = /(?<=[\s"'}])(href|src|img|poster)\s*=\s*(?:\{\s*)?(["'])([^"'\n]*)\2/g

/** `bodyOffset` is where the frontmatter ends; lines count from the beginning of the file. */
export function scanPage(text: string, bodyOffset: number): PageScan {
  const body = maskCode(text, bodyOffset)
  const lines = createLineFinder(text)
  return { imports: findImports(body, lines), links: findLinks(body, lines) }
}

/** The text with everything that is no prose blanked out; offsets stay. */
export function maskCode(text: string, bodyOffset: number): string {
  // The body begins a line.
  const parts: string[] = bodyOffset > 0 ? [`${' '.repeat(bodyOffset - 1)}\n`] : []
  const ahead = lookAhead(text)
  let kept = bodyOffset
  CODE_START.lastIndex = bodyOffset
  for (let found = CODE_START.exec(text); found; found = CODE_START.exec(text)) {
    const end = endOfCode(text, found, ahead)
    if (end === null) continue
    parts.push(text.slice(kept, found.index), blank(text, found.index, end))
    kept = end
    // The line start belongs to the next search: a fence may follow a fence directly.
    CODE_START.lastIndex = end
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

/** What code ends with, asked with places that grow. */
interface Ahead {
  /** Behind the next such mark; -1 when none comes. */
  after(mark: '*/' | '-->' | '>' | '</script' | '</style', from: number): number
  /** Where the next run of so many backticks begins; -1 when none comes. */
  backticks(length: number, from: number): number
  emptyLine(from: number): number
}

function lookAhead(text: string): Ahead {
  const marks = new Map<string, (from: number) => number>()
  const runs = new Map<number, (from: number) => number>()
  const remembered = <Key>(known: Map<Key, (from: number) => number>, key: Key, pattern: RegExp) => {
    const next = known.get(key) ?? nextOf(text, pattern)
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
    emptyLine: nextOf(text, /\n[ \t]*\r?\n/g),
  }
}

/** End of the code that `found` begins; null when it begins none (a lone backtick, an escaped character). */
function endOfCode(text: string, found: RegExpExecArray, ahead: Ahead): number | null {
  const mark = found[0]
  const after = found.index + mark.length
  if (found[2] !== undefined) return endOfFence(text, found.index, after, found[2], ahead)
  if (mark.startsWith('`')) return endOfSpan(after, mark.length, ahead)
  if (mark.startsWith('{')) {
    return mark.endsWith('*') ? placeOf(ahead.after('*/', after)) : endOfTemplate(text, after)
  }
  if (mark === '<!--') return placeOf(ahead.after('-->', after))
  if (found[3] === 'script' || found[3] === 'style') {
    const end = ahead.after(`</${found[3]}`, after)
    const tagEnd = ahead.after('>', after)
    return end === -1 || (tagEnd !== -1 && text[tagEnd - 2] === '/') ? null : placeOf(end)
  }
  return null
}

function placeOf(found: number): number | null {
  return found === -1 ? null : found
}

function endOfFence(text: string, start: number, after: number, fence: string, ahead: Ahead): number | null {
  const lineEnd = endOfLine(text, after)
  // A backtick fence whose line holds more backticks is a code span at the start of a line.
  if (fence.startsWith('`') && text.slice(after, lineEnd).includes('`')) {
    return endOfSpan(after, fence.length, ahead)
  }
  const closing = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t]*\\r?$`, 'gm')
  closing.lastIndex = Math.max(lineEnd, start)
  const found = closing.exec(text)
  return found ? found.index + found[0].length : text.length
}

/** A code span ends at as many backticks as it began with, in the same paragraph. */
function endOfSpan(after: number, length: number, ahead: Ahead): number | null {
  // Runs longer than any author writes: each length is looked for by itself.
  if (length > MAX_BACKTICKS) return null
  const at = ahead.backticks(length, after)
  if (at === -1 || at - after > MAX_SPAN) return null
  const empty = ahead.emptyLine(after)
  return empty !== -1 && empty < at ? null : at + length
}

function endOfTemplate(text: string, after: number): number | null {
  for (let at = text.indexOf('`', after); at !== -1; at = text.indexOf('`', at + 1)) {
    if (text[at - 1] !== '\\') return at + 1
    if (at - after > MAX_TEMPLATE) return null
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
  // Line breaks stay, so that patterns that look at line starts go on working behind a fence.
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
    // The address may stand on a later line than the label.
    add(end - 1, href, isImage ? 'image' : 'link', isSpaced)
    const inner = isImage ? null : /!\[[^[\]]*\]\(\s*([^\s()]+)/.exec(body.slice(start, end))
    if (inner) add(start, inner[1], 'image')
  }
  for (const found of body.matchAll(DEFINITION)) add(found.index, found[1] ?? found[2], 'link')
  for (const found of body.matchAll(ATTRIBUTE))
    add(found.index, found[3], found[1] === 'href' ? 'link' : 'image')
  return links.sort((a, b) => a.line - b.line)
}
