/**
 * Runs in the process that reads the docs and the code repositories of a project. Their trees are combined in
 * the folders `docs/`, `code/<name>/`, and `before/<name>/` for a repository whose changes are checked.
 */
import { plainDiff } from '../../base/files/diff-file.ts'
import { subtree } from '../../base/files/joined-tree.ts'
import { hashParts } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import { toStorable } from '../../base/text/storable.ts'
import type { CountedPage } from '../../database/schema/statements.ts'
import type { Differences } from '../../git/code-repository.ts'
import type { Inside, OpenInside } from '../../sandbox/inside.ts'
import { type Alarm, type ChangedFile, findAlarms } from './find-alarms.ts'
import { type Candidate, findCandidates, type Unlinked } from './find-candidates.ts'
import { findTouchedStatements, type TouchedStatement } from './find-touched.ts'
import type { Binding, Statement } from './operations/statements.ts'
import { isIgnored } from './read-code.ts'
import {
  type ReadableTree,
  readChanges,
  readCodeFiles,
  readPages,
  readText,
  readTexts,
} from './read-trees.ts'
import { type CodeFile, mapStatements, type PageStatements } from './statement-map.ts'

export interface CheckRequest {
  /** Names. */
  repositories: readonly string[]
  known: readonly KnownAlarm[]
  /** Null without a model. */
  readings: Readings | null
}

/** Lines that a model has linked statements with, by statement. */
export type Readings = Readonly<Record<string, readonly Binding[]>>

export interface KnownAlarm extends Pick<FoundAlarm, 'repository' | 'statement'> {
  key: string
  found: Pick<Alarm, 'reason' | 'before'>
}

export interface CheckResult {
  pages: CountedPage[]
  statements: FoundStatement[]
  questions: PageQuestion[]
  alarms: FoundAlarm[]
  /** Keys of the known alarms whose statement is unchanged and whose old line was not restored. */
  standing: string[]
}

type FoundStatement = Pick<Statement, 'id' | 'page' | 'line' | 'text' | 'bindings'>

/** Statements of a page that no name links, with lines of code for a model. */
export interface PageQuestion {
  page: string
  digest: string
  statements: (FoundStatement & { terms: string[]; candidates: Binding[] })[]
}

export interface FoundAlarm extends Alarm {
  repository: string
  statement: string
  change: string
}

/** Maximum number of stored statements. Further ones, in the order of the pages, are dropped. */
const MAX_STATEMENTS = 50_000
const MAX_LINE_LENGTH = 300
const MAX_LISTED = 60
const MAX_MODEL_STATEMENTS_PER_PAGE = 20

export interface CompareRequest {
  /** Name of the repository. */
  repository: string
  /** Patterns of the files whose changes count; empty for all. */
  files: readonly string[]
}

export interface Comparison {
  /** Changed files, at most as many as a prompt lists; without counts for a file that is not read as code. */
  changed: Differences['files']
  total: number
  /** Statements that the change may have made false come first. */
  statements: TouchedStatement[]
}

export const open: OpenInside = (inside) => ({
  compare: async (request: CompareRequest) => toStorable(await compare(inside, request)),
  check: async (request: CheckRequest) => toStorable(await check(inside, request)),
})

async function check(
  { tree, cache }: Inside,
  { repositories, known, readings }: CheckRequest,
): Promise<CheckResult> {
  const code = subtree(tree, 'code/')
  const pages = await readPages(subtree(tree, 'docs/'))
  const files: CodeFile[] = []
  for (const name of repositories) {
    const own = await readCodeFiles(subtree(code, `${name}/`), { outside: null, cache, name })
    for (const { file, facts } of own) files.push({ file: `${name}/${file}`, facts })
  }
  const all = mapStatements(pages, files).pages.flatMap(({ file: page, statements }) =>
    statements.map(({ line, text, bindings }) => {
      const places = bindings.flatMap(({ name, lines }) => lines.map((one) => ({ name, ...one })))
      return { id: statementId(page, text), page, line, text, places }
    }),
  )
  const linked = new Set(all.filter(({ places }) => places.length > 0).map(({ id }) => id))
  const isLinked = (page: string, text: string) => linked.has(statementId(page, text))
  const unlinked = readings === null ? [] : findCandidates(pages, files, isLinked)
  const locate = await readLines(code, [
    ...all.flatMap(({ places }) => places),
    ...unlinked.flatMap(({ candidates }) => candidates),
  ])
  const alarms: FoundAlarm[] = []
  const after = files.map(({ facts }) => facts)
  const read = readings === null ? pages : withReadings(pages, readings)
  for (const repository of repositories) {
    const before = subtree(tree, `before/${repository}/`)
    if (before.files.size === 0) continue
    const changes = await readChanges(before, subtree(code, `${repository}/`), null)
    for (const alarm of findAlarms({ ...changes, after, pages: read }))
      alarms.push(toFoundAlarm(alarm, repository))
  }
  const ids = new Set(all.map(({ id }) => id))
  const standing: KnownAlarm[] = []
  for (const alarm of known) if (ids.has(alarm.statement) && (await stands(code, alarm))) standing.push(alarm)
  const doubted = new Set([...alarms, ...standing].map(({ statement }) => statement))
  const statements = new Map<string, FoundStatement>()
  for (const { places, ...statement } of all) {
    const { id } = statement
    if (statements.size >= MAX_STATEMENTS || statements.has(id)) continue
    if (places.length > 0 || doubted.has(id))
      statements.set(id, { ...statement, bindings: places.map(locate) })
  }
  const prose = unlinked.filter(({ statement }) => statement.names.length === 0)
  const counted = Map.groupBy([...all, ...prose], ({ page }) => page)
  return {
    pages: [...counted].map(([page, { length: total }]) => ({ page, total })),
    statements: [...statements.values()],
    questions: toQuestions(unlinked, locate),
    ...{ alarms, standing: standing.map(({ key }) => key) },
  }
}

/** Null if the earlier commit no longer exists. */
async function compare(
  { tree, cache }: Inside,
  { repository, files }: CompareRequest,
): Promise<Comparison | null> {
  const [before, after] = [subtree(tree, `before/${repository}/`), subtree(tree, `code/${repository}/`)]
  if (before.files.size === 0) return null
  const isWanted = (path: string) =>
    !isIgnored(path) && !UNCOMPARED_FILE_PATTERN.test(path) && matchesAny(files, path)
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].filter(
    (path) => before.files.get(path)?.digest !== after.files.get(path)?.digest && isWanted(path),
  )
  if (paths.length === 0) return { changed: [], total: 0, statements: [] }
  const all = await readChanges(before, after, null)
  const changed = all.changed.filter(({ path }) => isWanted(path))
  const pages = await readPages(subtree(tree, 'docs/'))
  const code = await readCodeFiles(after, { outside: null, cache, name: repository })
  const alarms = findAlarms({ ...all, changed, pages, after: code.map(({ facts }) => facts) })
  return {
    changed: toChangedPaths(paths, changed),
    total: paths.length,
    statements: [...alarms, ...findTouchedStatements({ changed, files: code, pages })],
  }
}

/** Matches pages and their configuration, which may be next to the code but are not compared. */
const UNCOMPARED_FILE_PATTERN = /\.mdx?$|(?:^|\/)(?:docs|mint)\.json$/

/** Files that are read as code come first. */
function toChangedPaths(paths: readonly string[], changed: readonly ChangedFile[]): Comparison['changed'] {
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

type Locate = (candidate: Candidate) => Binding

/** Reads the text of the lines, whose paths begin with the name of a repository. */
async function readLines(code: ReadableTree, places: readonly Candidate[]): Promise<Locate> {
  const texts = new Map<string, string>()
  const byFile = Map.groupBy(places, ({ file }) => file)
  await readTexts(code, [...byFile.keys()], (text, file) => {
    const lines = text.split('\n')
    for (const { line } of byFile.get(file) ?? []) texts.set(`${file}:${line}`, cut(lines[line - 1] ?? ''))
  })
  return ({ name, file, line }) => {
    const [repository = '', ...path] = file.split('/')
    return { name, repository, file: path.join('/'), line, text: texts.get(`${file}:${line}`) ?? '' }
  }
}

function toQuestions(unlinked: readonly Unlinked[], locate: Locate): PageQuestion[] {
  return [...Map.groupBy(unlinked, ({ page }) => page)].map(([page, all]) => {
    const statements = all.slice(0, MAX_MODEL_STATEMENTS_PER_PAGE).map(({ statement, candidates }) => {
      const { line, text, names, values } = statement
      const asked = { terms: [...names, ...values], candidates: candidates.map(locate) }
      return { id: statementId(page, text), page, line, text, bindings: [], ...asked }
    })
    const texts = statements.flatMap(({ text, candidates }) => [
      text,
      ...candidates.map(({ repository, file, text: code }) => `${repository}/${file}: ${code}`),
    ])
    return { page, digest: hashParts(...texts), statements }
  })
}

/** Adds the names to the statements, so that changes of their lines raise alarms like those of written names. */
function withReadings(pages: readonly PageStatements[], readings: Readings): readonly PageStatements[] {
  return pages.map(({ file, statements }) => ({
    file,
    statements: statements.map((statement) => {
      const read = (readings[statementId(file, statement.text)] ?? []).map(({ name }) => name)
      return { ...statement, names: [...statement.names, ...read], about: [...statement.about, ...read] }
    }),
  }))
}

async function stands(
  code: ReadableTree,
  { repository, found: { reason, before } }: KnownAlarm,
): Promise<boolean> {
  const path = `${repository}/${before.file}`
  if (!code.files.has(path)) return true
  const hasLine = async () =>
    (await readText(code, path)).split('\n').some((line) => cut(line) === before.text)
  return reason !== 'path' && !(await hasLine())
}

function cut(line: string): string {
  return line.trim().slice(0, MAX_LINE_LENGTH)
}

function toFoundAlarm(alarm: Alarm, repository: string): FoundAlarm {
  const { page, text, reason, name, before, after } = alarm
  const change = hashParts(repository, reason, name, before.text, after?.text ?? '')
  return { ...alarm, repository, statement: statementId(page, text), change }
}
