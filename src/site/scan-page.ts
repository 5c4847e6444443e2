/**
 * A fast look over the text of a page, without parsing it: what it imports and where it links to. Code is passed
 * over: fences, code spans, comments, template strings, `<script>` and `<style>`.
 */
import { detach, lineAt, lineStartsOf } from './text.ts'

export interface PageScan {
  imports: readonly ScannedImport[]
  links: readonly ScannedLink[]
}

export interface ScannedImport {
  /** As written between the quotes. */
  specifier: string
  /** `<Snippet file="x.mdx" />`, which names a file below `snippets/` or `_snippets/`. */
  isLegacy: boolean
  /** 1-based line in the file. */
  line: number
}

export interface ScannedLink {
  href: string
  line: number
  /** `image` for what a page shows, `link` for where it leads. */
  use: 'link' | 'image'
}

// Repetitions in these patterns are bounded, so that no page makes a scan take longer than its length allows.

/** Where something begins that is no prose: at the line start a fence, else a code span, a comment, a raw element. */
const CODE_START =
  /^([ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t>]{1,20}){0,6})(`{3,}|~{3,})|`+|\{\s*\/\*|\{\s*`|<!--|<(script|style)\b|\\./gm
/** Characters after which the end of a code span or a template string is no longer looked for. */
const MAX_SPAN = 20_000
const MAX_TEMPLATE = 200_000
const MARKDOWN_LINK =
  /(!?)\[(?:[^[\]\n]|\n(?![ \t\r]*\n)|\[[^[\]\n]{0,1000}\]){0,2000}\]\(\s*(?:<([^>\n]*)>|((?:[^\s()\\]|\\.|\([^\s()]*\))+))/g
const DEFINITION = /^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*(?:<([^>\n]*)>|([^\s<]\S*))[ \t]*(?:["'(][^\n]*)?$/gm
const ATTRIBUTE = /(?<=[\s"'}])(href|src|img|poster)\s*=\s*(?:\{\s*)?(["'])([^"'\n]*)\2/g
const IMPORT =
  /^(?:import\s+(?:[\w$*{][^;'"`()=<>]{0,2000}?\sfrom\s*|\{[^;'"`()=<>]{0,2000}?\}\s*from\s*)?|export\s+(?:\*|\{)[^;'"`()=<>]{0,2000}?\sfrom\s*)(["'])([^"'\n]+)\1/gm
const LEGACY_SNIPPET = /<Snippet\b[^>]*?\bfile\s*=\s*(?:\{\s*)?(["'])([^"'\n]+)\1/g

/** `bodyOffset` is where the frontmatter ends; lines count from the beginning of the file. */
export function scanPage(text: string, bodyOffset: number): PageScan {
  const body = maskCode(text, bodyOffset)
  const lines = createLineFinder(text)
  return { imports: findImports(body, lines), links: findLinks(body, lines) }
}

/** Imports of a `.jsx`, `.js` or `.ts` file. */
export function scanModule(text: string): readonly ScannedImport[] {
  const withoutComments = text.replace(/\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, (comment) =>
    ' '.repeat(comment.length),
  )
  return findImports(withoutComments, createLineFinder(text))
}

/** The text with everything that is no prose blanked out; offsets stay. */
export function maskCode(text: string, bodyOffset: number): string {
  // The body begins a line.
  const parts: string[] = bodyOffset > 0 ? [`${' '.repeat(bodyOffset - 1)}\n`] : []
  const absent = new Set<string>()
  let kept = bodyOffset
  CODE_START.lastIndex = bodyOffset
  for (let found = CODE_START.exec(text); found; found = CODE_START.exec(text)) {
    const end = endOfCode(text, found, absent)
    if (end === null) continue
    parts.push(text.slice(kept, found.index), blank(text, found.index, end))
    kept = end
    // The line start belongs to the next search: a fence may follow a fence directly.
    CODE_START.lastIndex = end
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

/** End of the code that `found` begins; null when it begins none (a lone backtick, an escaped character). */
function endOfCode(text: string, found: RegExpExecArray, absent: Set<string>): number | null {
  const mark = found[0]
  const after = found.index + mark.length
  if (found[2] !== undefined) return endOfFence(text, found.index, after, found[2])
  if (mark.startsWith('`')) return endOfSpan(text, after, mark.length)
  if (mark.startsWith('{')) {
    if (mark.endsWith('*')) return endAfter(text, '*/', after, absent)
    return endOfTemplate(text, after)
  }
  if (mark === '<!--') return endAfter(text, '-->', after, absent)
  if (found[3] !== undefined) {
    const tagEnd = endAfter(text, '>', after, absent)
    if (tagEnd !== null && text[tagEnd - 2] === '/') return null
    return endAfter(text, `</${found[3]}`, after, absent)
  }
  return null
}

function endOfFence(text: string, start: number, after: number, fence: string): number | null {
  const lineEnd = endOfLine(text, after)
  // A backtick fence whose line holds more backticks is a code span at the start of a line.
  if (fence.startsWith('`') && text.slice(after, lineEnd).includes('`')) {
    return endOfSpan(text, after, fence.length)
  }
  const closing = new RegExp(`^[ \\t>]*${fence[0]}{${fence.length},}[ \\t]*\\r?$`, 'gm')
  closing.lastIndex = Math.max(lineEnd, start)
  const found = closing.exec(text)
  return found ? found.index + found[0].length : text.length
}

/** A code span ends at as many backticks as it began with, in the same paragraph. */
function endOfSpan(text: string, after: number, length: number): number | null {
  for (let at = text.indexOf('`', after); at !== -1; at = text.indexOf('`', at)) {
    let end = at
    while (text[end] === '`') end++
    if (end - at === length) return /\n[ \t]*\r?\n/.test(text.slice(after, at)) ? null : end
    if (at - after > MAX_SPAN) return null
    at = end
  }
  return null
}

function endOfTemplate(text: string, after: number): number | null {
  for (let at = text.indexOf('`', after); at !== -1; at = text.indexOf('`', at + 1)) {
    if (text[at - 1] !== '\\') return at + 1
    if (at - after > MAX_TEMPLATE) return null
  }
  return null
}

/** `absent` remembers marks that do not come again, so that a page full of openings is searched once. */
function endAfter(text: string, mark: string, from: number, absent: Set<string>): number | null {
  if (absent.has(mark)) return null
  const at = text.indexOf(mark, from)
  if (at === -1) absent.add(mark)
  return at === -1 ? null : at + mark.length
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

function findImports(body: string, lines: LineFinder): ScannedImport[] {
  const imports: ScannedImport[] = []
  for (const found of body.matchAll(IMPORT)) {
    const line = lines.lineOf(found.index + found[0].length)
    imports.push({ specifier: detach(found[2] as string), isLegacy: false, line })
  }
  for (const found of body.matchAll(LEGACY_SNIPPET)) {
    imports.push({ specifier: detach(found[2] as string), isLegacy: true, line: lines.lineOf(found.index) })
  }
  return imports
}

function findLinks(body: string, lines: LineFinder): ScannedLink[] {
  const links: ScannedLink[] = []
  const add = (offset: number, href: string | undefined, use: ScannedLink['use']) => {
    if (href) links.push({ href: detach(href), line: lines.lineOf(offset), use })
  }
  for (const found of body.matchAll(MARKDOWN_LINK)) {
    const href = found[2] ?? found[3]?.replace(/\\([!-/:-@[-`{-~])/g, '$1')
    // The address may stand on a later line than the label.
    add(found.index + found[0].length - 1, href, found[1] === '!' ? 'image' : 'link')
    const inner = found[1] === '!' ? null : /!\[[^\]]*\]\(\s*([^\s()]+)/.exec(found[0])
    if (inner) add(found.index, inner[1], 'image')
  }
  for (const found of body.matchAll(DEFINITION)) add(found.index, found[1] ?? found[2], 'link')
  for (const found of body.matchAll(ATTRIBUTE))
    add(found.index, found[3], found[1] === 'href' ? 'link' : 'image')
  return links.sort((a, b) => a.line - b.line)
}

interface LineFinder {
  lineOf(offset: number): number
}

/** Lines are counted only for a page on which one is asked for. */
function createLineFinder(text: string): LineFinder {
  let starts: number[] | null = null
  return {
    lineOf(offset) {
      starts ??= lineStartsOf(text)
      return lineAt(starts, offset)
    },
  }
}
