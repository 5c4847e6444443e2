/**
 * Runs in the process that reads the docs and the code repositories of a project. Their trees are combined in
 * the folders `docs/`, `code/0/`, and `before/0/` for a repository whose changes are checked.
 */
import { mapBounded } from '../../base/bounded.ts'
import { plainDiff } from '../../base/files/diff-file.ts'
import { subtree } from '../../base/files/joined-tree.ts'
import { hashParts } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import { toStorable } from '../../base/text/storable.ts'
import { createYielder } from '../../base/text/yielder.ts'
import type { Inside, OpenInside } from '../../sandbox/inside.ts'
import { type Alarm, type ChangedFile, findAlarms } from './find-alarms.ts'
import { findTouched, type TouchedStatement } from './find-touched.ts'
import type { AlarmReason, Binding, CodeLine } from './operations/statements.ts'
import { isIgnored } from './read-code.ts'
import { type ReadableTree, readChanges, readCodeFiles, readPages, readText } from './read-trees.ts'
import { type CodeFile, type MappedPage, type MappedStatement, mapStatements } from './statement-map.ts'

export interface CheckRequest {
  /** Names of the repositories, in the order of their folders. */
  repositories: readonly string[]
  known: readonly KnownAlarm[]
}

export type KnownAlarm = Pick<FoundAlarm, 'repository' | 'statement' | 'reason' | 'before'>

export interface CheckResult {
  pages: { page: string; total: number }[]
  statements: FoundStatement[]
  alarms: FoundAlarm[]
  /** For each known alarm, whether the statement is unchanged and the old line was not restored. */
  standing: boolean[]
}

export interface FoundStatement {
  id: string
  page: string
  line: number
  text: string
  bindings: Binding[]
  files: string[]
  definition: string
  /** Index of the repository of the first binding; null without a binding. */
  repository: number | null
}

export interface FoundAlarm {
  repository: number
  statement: string
  change: string
  page: string
  line: number
  text: string
  reason: AlarmReason
  name: string
  before: CodeLine
  after: CodeLine | null
}

/** Maximum number of stored statements. Further ones, in the order of the pages, are dropped. */
const MAX_STATEMENTS = 50_000
const MAX_LINE_LENGTH = 300
const CONCURRENT_READS = 16
const MAX_LISTED = 60

export interface CompareRequest {
  /** Name of the repository. */
  repository: string
  /** Patterns of the files whose changes count; empty for all. */
  files: readonly string[]
}

export interface Comparison {
  /** Changed files, at most as many as a prompt lists. */
  changed: ChangedPath[]
  total: number
  /** Statements that the change may have made false come first. */
  statements: TouchedStatement[]
}

export interface ChangedPath {
  path: string
  /** Null for a file that is not read as code. */
  added: number | null
  removed: number | null
}

export const open: OpenInside = ({ tree, cache }) => ({
  compare: async (request: CompareRequest): Promise<Comparison | null> =>
    toStorable(await compare(tree, cache, request)),
  check: async (request: CheckRequest): Promise<CheckResult> => toStorable(await check(tree, cache, request)),
})

async function check(
  tree: Inside['tree'],
  cache: Inside['cache'],
  { repositories, known }: CheckRequest,
): Promise<CheckResult> {
  const code = subtree(tree, 'code/')
  const pages = await readPages(subtree(tree, 'docs/'))
  const files: CodeFile[] = []
  for (const [number, name] of repositories.entries()) {
    const own = await readCodeFiles(subtree(code, `${number}/`), { outside: null, cache, name })
    for (const { file, facts } of own) files.push({ file: `${number}/${file}`, facts })
  }
  const { pages: mapped } = mapStatements(pages, files)
  const lines = await readLines(code, mapped)
  const alarms: FoundAlarm[] = []
  const facts = files.map((file) => file.facts)
  for (const [number, repository] of repositories.entries()) {
    const [before, after] = [subtree(tree, `before/${number}/`), subtree(code, `${number}/`)]
    if (before.files.size === 0) continue
    const changed = await readChanges(before, after, null)
    const paths = { before: new Set(before.files.keys()), after: new Set(after.files.keys()) }
    for (const alarm of findAlarms({ changed, after: facts, paths, pages }))
      alarms.push(toFoundAlarm(alarm, number, repository))
  }
  const ids = new Set(
    mapped.flatMap(({ file, statements }) => statements.map(({ text }) => statementId(file, text))),
  )
  const standing = await mapBounded(
    known,
    CONCURRENT_READS,
    async (alarm) => ids.has(alarm.statement) && (await stands(code, alarm)),
  )
  const doubted = new Set([
    ...alarms.map(({ statement }) => statement),
    ...known.flatMap(({ statement }, at) => (standing[at] ? [statement] : [])),
  ])
  const statements = new Map<string, FoundStatement>()
  for (const { file, statements: all } of mapped)
    for (const statement of all) {
      const id = statementId(file, statement.text)
      if (statements.size >= MAX_STATEMENTS || statements.has(id)) continue
      if (statement.bindings.length === 0 && !doubted.has(id)) continue
      const bindings = locate(statement, repositories, lines)
      statements.set(id, { id, page: file, ...describe(statement, bindings, repositories) })
    }
  return {
    pages: mapped.map(({ file, statements: all }) => ({ page: file, total: all.length })),
    statements: [...statements.values()],
    alarms,
    standing,
  }
}

/** Null if the earlier commit no longer exists. */
async function compare(
  tree: Inside['tree'],
  cache: Inside['cache'],
  { repository, files }: CompareRequest,
): Promise<Comparison | null> {
  const [before, after] = [subtree(tree, 'before/0/'), subtree(tree, 'code/0/')]
  if (before.files.size === 0) return null
  const isWanted = (path: string) => !isIgnored(path) && !NOT_LISTED.test(path) && matchesAny(files, path)
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].filter(
    (path) => before.files.get(path)?.digest !== after.files.get(path)?.digest && isWanted(path),
  )
  if (paths.length === 0) return { changed: [], total: 0, statements: [] }
  const changed = (await readChanges(before, after, null)).filter(({ path }) => isWanted(path))
  const pages = await readPages(subtree(tree, 'docs/'))
  const code = await readCodeFiles(after, { outside: null, cache, name: repository })
  const alarms = findAlarms({
    ...{ changed, pages, after: code.map(({ facts }) => facts) },
    paths: { before: new Set(before.files.keys()), after: new Set(after.files.keys()) },
  })
  return {
    changed: toChangedPaths(paths, changed),
    total: paths.length,
    statements: [...alarms, ...findTouched({ changed, files: code, pages })],
  }
}

/** Matches pages and their configuration, which may be next to the code but are not compared. */
const NOT_LISTED = /\.mdx?$|(?:^|\/)(?:docs|mint)\.json$/

/** Files that are read as code come first. */
function toChangedPaths(paths: readonly string[], changed: readonly ChangedFile[]): ChangedPath[] {
  const texts = new Map(changed.map((file) => [file.path, file]))
  return paths
    .toSorted((a, b) => Number(texts.has(b)) - Number(texts.has(a)))
    .slice(0, MAX_LISTED)
    .map((path) => {
      const file = texts.get(path)
      if (file === undefined) return { path, added: null, removed: null }
      const lines = plainDiff(file.before, file.after).flat()
      const count = (wanted: string) => lines.filter(({ kind }) => kind === wanted).length
      return { path, added: count('added'), removed: count('removed') }
    })
}

/** The id does not depend on the statement's position on the page. */
function statementId(page: string, text: string): string {
  return `stm_${hashParts(page, text).slice(0, 24)}`
}

function describe({ line, text }: MappedStatement, bindings: Binding[], repositories: readonly string[]) {
  const [first] = bindings
  return {
    ...{ line, text, bindings },
    files: [...new Set(bindings.map(({ repository, file }) => `${repository}/${file}`))],
    definition: hashParts(...bindings.map(({ text: definition }) => definition)),
    repository: first === undefined ? null : repositories.indexOf(first.repository),
  }
}

function locate(
  { bindings }: MappedStatement,
  repositories: readonly string[],
  lines: ReadonlyMap<string, string>,
): Binding[] {
  return bindings.flatMap(({ name, lines: places }) =>
    places.map(({ file, line }) => {
      const slash = file.indexOf('/')
      const repository = repositories[Number(file.slice(0, slash))] as string
      return { name, repository, file: file.slice(slash + 1), line, text: lines.get(`${file}:${line}`) ?? '' }
    }),
  )
}

async function readLines(code: ReadableTree, pages: readonly MappedPage[]): Promise<Map<string, string>> {
  const places = pages.flatMap(({ statements }) =>
    statements.flatMap(({ bindings }) => bindings.flatMap(({ lines }) => lines)),
  )
  const texts = new Map<string, string>()
  const yielder = createYielder()
  for (const [file, wanted] of Map.groupBy(places, (place) => place.file)) {
    const lines = (await readText(code, file)).split('\n')
    for (const { line } of wanted) texts.set(`${file}:${line}`, cut(lines[line - 1] ?? ''))
    if (yielder.isDue()) await yielder.yieldNow()
  }
  return texts
}

async function stands(code: ReadableTree, { repository, reason, before }: KnownAlarm): Promise<boolean> {
  const path = `${repository}/${before.file}`
  if (!code.files.has(path)) return true
  return (
    reason !== 'path' && !(await readText(code, path)).split('\n').some((line) => cut(line) === before.text)
  )
}

function cut(line: string): string {
  return line.trim().slice(0, MAX_LINE_LENGTH)
}

function toFoundAlarm(
  { page, line, text, reason, name, before, after }: Alarm,
  number: number,
  repository: string,
) {
  const change = hashParts(repository, reason, name, before.text, after?.text ?? '')
  const statement = statementId(page, text)
  return { repository: number, statement, change, page, line, text, reason, name, before, after }
}
