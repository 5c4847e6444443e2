/** The imports of a page's code, taken out of it: they are bound by name, and the compiler would lose their paths. */
import { nextOf } from '../../base/text/next-of.ts'

export interface ImportStatement {
  /** What stands between `import` and `from`; empty where nothing is named. */
  clause: string
  specifier: string
  /** 0-based line in the text at which it begins. */
  line: number
}

const KEYWORD = /^import(?=[ \t\n])/gm
const SPECIFIER = /(['"])([^'"\n]+)\1[ \t]*(?:;[ \t]*)?$/my

/** Tells every import in turn; answers the text with line breaks alone where they stood. */
export function takeImports(source: string, found: (statement: ImportStatement) => void): string {
  const mark = nextOf(source, /['"`;]/g)
  const parts: string[] = []
  let kept = 0
  let line = 0
  let counted = 0
  for (KEYWORD.lastIndex = 0; ; ) {
    const keyword = KEYWORD.exec(source)
    if (!keyword) break
    const quote = mark(KEYWORD.lastIndex)
    if (quote === -1) break
    const clause = clauseOf(source.slice(KEYWORD.lastIndex, Math.min(quote, KEYWORD.lastIndex + MAX_CLAUSE)))
    SPECIFIER.lastIndex = quote
    const specifier = clause === null ? null : SPECIFIER.exec(source)
    if (clause === null || !specifier) continue
    const end = SPECIFIER.lastIndex
    line += countLines(source, counted, keyword.index)
    counted = keyword.index
    found({ clause, specifier: specifier[2] as string, line })
    parts.push(source.slice(kept, keyword.index), source.slice(keyword.index, end).replace(/[^\n]+/g, ''))
    kept = end
    KEYWORD.lastIndex = end
  }
  return parts.join('') + source.slice(kept)
}

/** Characters between the keyword and the specifier. */
const MAX_CLAUSE = 10_000

/** Null when it does not end with `from`, and is not nothing. */
function clauseOf(between: string): string | null {
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
