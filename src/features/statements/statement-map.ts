/**
 * Builds the map of statements, which binds names in code format on pages to the lines of code that define
 * them. A name is bound if few lines contain it as a definition, option, variable, route or field; a name
 * that occurs in many lines identifies none of them.
 */
import { HISTORY_PAGE, HISTORY_SENTENCE, isCodeLikeName, nameKey } from './names.ts'
import type { CodeFacts, Fact } from './read-code.ts'
import type { Statement } from './read-page.ts'

export interface CodeFile {
  file: string
  facts: CodeFacts
}

export interface PageStatements {
  file: string
  statements: readonly Statement[]
}

/** Leaves out statements about earlier states. */
export function listCurrent(pages: readonly PageStatements[]): { page: string; statement: Statement }[] {
  return pages
    .filter(({ file }) => !HISTORY_PAGE.test(file))
    .flatMap(({ file: page, statements }) => statements.map((statement) => ({ page, statement })))
    .filter(({ statement }) => !HISTORY_SENTENCE.test(statement.text))
}

export interface Binding {
  name: string
  kind: (typeof KINDS)[number]
  lines: { file: string; line: number }[]
  /** Value that is equal in the page and the code; null if the statement has none. */
  value: string | null
}

export interface MappedPage {
  file: string
  /** Without bindings if each name of the statement occurs in too many lines of the code or in none. */
  statements: (Pick<Statement, 'line' | 'kind' | 'text'> & { bindings: Binding[] })[]
  bound: number
}

export interface StatementMap {
  pages: MappedPage[]
  /** Code files that statements depend on, most statements first. */
  files: { file: string; statements: number }[]
  statements: number
  bound: number
}

/** Sorted from strong to weak evidence. */
const KINDS = ['option', 'environment', 'route', 'definition', 'field', 'text'] as const
const MAX_LINES = 3

export function mapStatements(pages: readonly PageStatements[], code: readonly CodeFile[]): StatementMap {
  const current = pages.filter(({ file }) => !HISTORY_PAGE.test(file))
  const definitions = findDefinitions(current, code)
  const bearing = new Map<string, number>()
  const mapped = current.map(({ file, statements }): MappedPage => {
    const all = statements.flatMap((statement) => {
      if (statement.names.length === 0) return []
      const bindings = statement.names.flatMap((name) => bind(name, statement, definitions))
      const { line, kind, text } = statement
      for (const one of new Set(bindings.flatMap(({ lines }) => lines.map((line) => line.file))))
        bearing.set(one, (bearing.get(one) ?? 0) + 1)
      return [{ line, kind, text, bindings }]
    })
    return { file, statements: all, bound: all.filter(({ bindings }) => bindings.length > 0).length }
  })
  return {
    pages: mapped.filter(({ statements }) => statements.length > 0),
    files: [...bearing]
      .map(([file, statements]) => ({ file, statements }))
      .sort((a, b) => b.statements - a.statements),
    statements: mapped.reduce((sum, { statements }) => sum + statements.length, 0),
    bound: mapped.reduce((sum, { bound }) => sum + bound, 0),
  }
}

interface Definition {
  file: string
  fact: Fact
}

interface Definitions {
  byName: Map<string, Definition[]>
  byKey: Map<string, Definition[]>
}

/** Collects only the names that occur on pages. */
function findDefinitions(pages: readonly PageStatements[], code: readonly CodeFile[]): Definitions {
  const byName = new Map<string, Definition[]>()
  const byKey = new Map<string, Definition[]>()
  for (const { statements } of pages)
    for (const { names } of statements)
      for (const name of names) {
        byName.set(name, [])
        if (isCodeLikeName(name)) byKey.set(nameKey(name), [])
      }
  for (const { file, facts } of code)
    for (const fact of facts.facts) {
      if (fact.kind === 'use') continue
      byName.get(fact.name)?.push({ file, fact })
      if (/^\w+$/.test(fact.name)) byKey.get(nameKey(fact.name))?.push({ file, fact })
    }
  return { byName, byKey }
}

function bind(name: string, statement: Statement, { byName, byKey }: Definitions): Binding[] {
  const exact = byName.get(name) ?? []
  // The names of options and variables are often derived from a field name.
  const found = exact.length > 0 || !isCodeLikeName(name) ? exact : (byKey.get(nameKey(name)) ?? [])
  for (const kind of KINDS) {
    const lines = found.filter(({ fact }) => fact.kind === kind)
    if (lines.length === 0) continue
    if (lines.length > MAX_LINES || (kind === 'text' && !isCodeLikeName(name))) return []
    const value = lines
      .map(({ fact }) => fact.value)
      .find((one) => one !== undefined && statement.values.includes(one))
    return [
      { name, kind, lines: lines.map(({ file, fact: { line } }) => ({ file, line })), value: value ?? null },
    ]
  }
  return []
}
