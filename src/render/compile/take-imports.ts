/** Extracts imports from the code of a page, because the compiler would drop their paths. */
import { createForwardSearch } from '../../base/text/forward-search.ts'

export interface ImportStatement {
  /** Text between `import` and `from`; empty for an import without names. */
  clause: string
  specifier: string
  /** Line where the import starts, counted from 0. */
  line: number
}

const KEYWORD = /^import(?=[ \t\n])/gm
const IMPORT_SPECIFIER_PATTERN = /(['"])([^'"\n]+)\1[ \t]*(?:;[ \t]*)?$/my

/** Calls `found` for each import in order. Returns the text with imports replaced by their line breaks. */
export function takeImports(source: string, found: (statement: ImportStatement) => void): string {
  const mark = createForwardSearch(source, /['"`;]/g)
  const parts: string[] = []
  let copiedUntil = 0
  let line = 0
  let counted = 0
  for (KEYWORD.lastIndex = 0; ; ) {
    const keyword = KEYWORD.exec(source)
    if (!keyword) break
    const quote = mark(KEYWORD.lastIndex)
    if (quote === -1) break
    const clause = parseClause(
      source.slice(KEYWORD.lastIndex, Math.min(quote, KEYWORD.lastIndex + MAX_CLAUSE)),
    )
    IMPORT_SPECIFIER_PATTERN.lastIndex = quote
    const specifier = clause === null ? null : IMPORT_SPECIFIER_PATTERN.exec(source)
    if (clause === null || !specifier) continue
    const end = IMPORT_SPECIFIER_PATTERN.lastIndex
    line += countLines(source, counted, keyword.index)
    counted = keyword.index
    found({ clause, specifier: specifier[2] as string, line })
    parts.push(
      source.slice(copiedUntil, keyword.index),
      source.slice(keyword.index, end).replace(/[^\n]+/g, ''),
    )
    copiedUntil = end
    KEYWORD.lastIndex = end
  }
  return parts.join('') + source.slice(copiedUntil)
}

const MAX_CLAUSE = 10_000

/** Returns the names in a clause: empty for an empty clause, null for a clause that does not end with `from`. */
function parseClause(between: string): string | null {
  const words = between.trim()
  if (words === '') return ''
  if (!words.endsWith('from')) return null
  return words
    .slice(0, -'from'.length)
    .replace(/^type[ \t]+/, '')
    .trim()
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
