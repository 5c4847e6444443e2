/** Finds the statements that depend on lines changed in the code, whether the change makes them false or not. */
import { type Alarm, type ChangedFile, type PairedLines, pairLines, type SideLine } from './find-alarms.ts'
import { listPathEndings } from './names.ts'
import type { CodeLine } from './operations/statements.ts'
import type { CodeFacts } from './read-code.ts'
import { type CodeFile, mapStatements, type PageStatements } from './statement-map.ts'

export interface TouchedStatement extends Pick<Alarm, 'page' | 'line' | 'text' | 'name' | 'after'> {
  /** Null for a line that is new. */
  before: CodeLine | null
}

export interface TouchedInput {
  changed: readonly ChangedFile[]
  /** All files after the change. */
  files: readonly CodeFile[]
  pages: readonly PageStatements[]
}

/** Maximum number and share of pages on which a name may occur. A more common name does not identify a page. */
const MANY_PAGES = 5
const LARGE_PART = 0.2
const MAX_TOUCHED_STATEMENTS = 1000

export function findTouchedStatements({ changed, files, pages }: TouchedInput): TouchedStatement[] {
  const paired = new Map(changed.map((file) => [file.path, { file, ...pairLines(file) }]))
  const { lines, paths } = findChangedLines([...paired.values()])
  const before = [
    ...files.filter(({ file }) => !paired.has(file)),
    ...[...paired].map(([file, { was }]) => ({ file, facts: was })),
  ]
  const touched = new Map<string, TouchedStatement>()
  const add = (
    page: string,
    { line, text }: { line: number; text: string },
    name: string,
    change?: LineChange,
  ) => {
    if (change !== undefined)
      touched.set(JSON.stringify([page, text, change]), { page, line, text, name, ...change })
  }
  for (const [side, code] of [before, files].entries())
    for (const { file: page, statements } of mapStatements(pages, code).pages)
      for (const statement of statements)
        for (const { name, lines: bearing } of statement.bindings)
          for (const { file, line } of bearing)
            add(page, statement, name, lines.get(`${side} ${file}:${line}`))
  for (const { file: page, statements } of pages)
    for (const statement of statements)
      for (const name of statement.names) add(page, statement, name, paths.get(name.replace(/^\.?\//, '')))
  return withoutCommonNames([...touched.values()], pages.length).slice(0, MAX_TOUCHED_STATEMENTS)
}

type LineChange = Pick<TouchedStatement, 'before' | 'after'>

interface ChangedLines {
  /** Keyed by side (0 before, 1 after the change), file and line. */
  lines: Map<string, LineChange>
  /** The first change of each file, keyed by the file's path and by each ending of that path. */
  paths: Map<string, LineChange>
}

/**
 * Lines that only moved do not count as changed. A change within a function also counts as a change of the line
 * that defines the function.
 */
function findChangedLines(files: readonly (PairedLines & { file: ChangedFile })[]): ChangedLines {
  const balance = new Map<string, number>()
  const count = (line: SideLine | null, by: number) =>
    line !== null && balance.set(line.text, (balance.get(line.text) ?? 0) + by)
  const all = files.map(({ pairs, added, ...file }) => {
    const changes = [...pairs, ...added.map((after) => ({ before: null, after }))]
    for (const { before, after } of changes) {
      count(before, -1)
      count(after, 1)
    }
    return { ...file, changes }
  })
  const found: ChangedLines = { lines: new Map(), paths: new Map() }
  for (const { file, was, is, changes } of all) {
    const { path } = file
    const isEdited = file.before !== null && file.after !== null
    const enclosing = [findEnclosing(file.before ?? '', was), findEnclosing(file.after ?? '', is)] as const
    for (const { before, after } of changes) {
      const locate = (side: SideLine | null) => side && { file: path, line: side.line, text: side.text }
      const change = { before: locate(before), after: locate(after) }
      for (const [side, line] of [before, after].entries()) {
        if (line === null || balance.get(line.text) === 0) continue
        found.lines.set(`${side} ${path}:${line.line}`, change)
        for (const end of listPathEndings(path)) if (!found.paths.has(end)) found.paths.set(end, change)
        const key = `${side} ${path}:${isEdited ? enclosing[side]?.(line.line) : null}`
        if (!found.lines.has(key)) found.lines.set(key, change)
      }
    }
  }
  return found
}

/** Maximum number of lines between a changed line and the definition of its function above. */
const MAX_BODY = 300

function findEnclosing(text: string, { facts }: CodeFacts): (at: number) => number | null {
  const defining = new Set(facts.filter(({ kind }) => kind === 'definition').map(({ line }) => line))
  const indents = text.split('\n').map((line) => line.search(/\S/))
  const indentOf = (line: number) => indents[line - 1] ?? -1
  return (at) => {
    let indent = indentOf(at)
    for (let line = at - 1; line > Math.max(0, at - MAX_BODY) && indent > 0; line--) {
      const own = indentOf(line)
      if (own < 0 || own >= indent) continue
      if (defining.has(line)) return line
      indent = own
    }
    return null
  }
}

function withoutCommonNames(touched: readonly TouchedStatement[], pages: number): TouchedStatement[] {
  const byName = Map.groupBy(touched, ({ name }) => name)
  const most = Math.max(MANY_PAGES, pages * LARGE_PART)
  return touched.filter(({ name }) => new Set(byName.get(name)?.map(({ page }) => page)).size <= most)
}
