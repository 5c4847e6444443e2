/** Finds the imports of a page or component file without parsing it, in a single pass. */
import { createForwardSearch } from '../../base/text/forward-search.ts'
import { createLineFinder, type LineFinder } from '../../base/text/text-lines.ts'
import { detach } from '../text.ts'

export interface ScannedImport {
  specifier: string
  /** True for `<Snippet file="x.mdx" />`, which refers to a file below `snippets/` or `_snippets/`. */
  isLegacy: boolean
  /** 1-based line in the file. */
  line: number
}

/** Maximum number of characters between `import` and `from`. */
const MAX_CLAUSE = 2000
/**
 * Matches keywords at the start of a line, and indented keywords after a line that ends with a tag, because
 * imports may be inside tags.
 */
const KEYWORD = /(?:^|(?<=>[ \t]{0,20}\n[ \t]{1,20}))(?:import|export)(?=\s)/gm
const SNIPPET = /<Snippet\b/g
const FILE = /\bfile\s*=\s*(?:\{\s*)?(["'])([^"'\n]+)\1/g
const COMMENT = /\/\*|^[ \t]*\/\//gm

export function scanModule(text: string): readonly ScannedImport[] {
  return findImports(withoutComments(text), createLineFinder(text))
}

/** `body` is text in which code is blanked out. */
export function findImports(body: string, lines: LineFinder): ScannedImport[] {
  return [...statements(body, lines), ...legacySnippets(body, lines)]
}

/** Finds `import … from "x"`, `import "x"` and `export … from "x"` at the start of a line. */
function* statements(body: string, lines: LineFinder): Iterable<ScannedImport> {
  // Characters that cannot occur between the keyword and the specifier.
  const mark = createForwardSearch(body, /[;'"`()=<>]/g)
  for (let found = nextMatch(KEYWORD, body, 0), from = 0; found; found = nextMatch(KEYWORD, body, from)) {
    const start = found.index + found[0].length
    from = start
    const quote = mark(start)
    if (quote === -1) return
    const isQuoted = body[quote] === '"' || body[quote] === "'"
    if (!isQuoted || !isClause(found[0], body, start, quote)) continue
    const end = endOfSpecifier(body, quote)
    if (end === null) continue
    from = end + 1
    yield { specifier: detach(body.slice(quote + 1, end)), isLegacy: false, line: lines.lineOf(end + 1) }
  }
}

/**
 * Returns true if the text between keyword and quote is empty, or is a list of names that ends with `from`.
 */
function isClause(keyword: string, body: string, start: number, quote: number): boolean {
  if (quote - start > 2 * MAX_CLAUSE) return false
  const clause = body.slice(start, quote).trim()
  if (clause === '') return keyword === 'import'
  if (clause.length > MAX_CLAUSE || !clause.endsWith('from')) return false
  if (!(keyword === 'import' ? /^[\p{ID_Continue}$*{]/u : /^[*{]/).test(clause)) return false
  const names = clause.slice(0, -'from'.length)
  const isApart = names.length > 1 && names !== names.trimEnd()
  return isApart || (keyword === 'import' && /^\{[\s\S]*\}$/.test(names))
}

/** Returns the index of the closing quote; null if the line ends or another kind of quote occurs before it. */
function endOfSpecifier(body: string, quote: number): number | null {
  let at = quote + 1
  while (at < body.length && body[at] !== '"' && body[at] !== "'" && body[at] !== '\n') at++
  return at > quote + 1 && body[at] === body[quote] ? at : null
}

function* legacySnippets(body: string, lines: LineFinder): Iterable<ScannedImport> {
  if (!body.includes('<Snippet')) return
  const tagEnd = createForwardSearch(body, />/g)
  let file: RegExpExecArray | null = null
  let from = 0
  for (let found = nextMatch(SNIPPET, body, 0); found; found = nextMatch(SNIPPET, body, from)) {
    from = found.index + found[0].length
    if (file === null || file.index < from) file = nextMatch(FILE, body, from)
    if (file === null) return
    const end = tagEnd(from)
    if (end !== -1 && end < file.index) continue
    yield { specifier: detach(file[2] as string), isLegacy: true, line: lines.lineOf(found.index) }
    from = file.index + file[0].length
  }
}

/** Blanks out comments, but preserves the length, so that offsets remain valid. */
export function withoutComments(text: string): string {
  const parts: string[] = []
  const close = createForwardSearch(text, /\*\//g)
  let copiedUntil = 0
  for (let found = nextMatch(COMMENT, text, 0), from = 0; found; found = nextMatch(COMMENT, text, from)) {
    const start = found.index + found[0].length
    from = start
    const isBlock = found[0] === '/*'
    const end = isBlock ? close(start) : endOfLine(text, start)
    if (end === -1) continue
    from = isBlock ? end + 2 : end
    parts.push(text.slice(copiedUntil, found.index), ' '.repeat(from - found.index))
    copiedUntil = from
  }
  parts.push(text.slice(copiedUntil))
  return parts.join('')
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function nextMatch(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}
