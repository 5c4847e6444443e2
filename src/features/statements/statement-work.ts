/**
 * Runs in the process that reads the docs and the code repositories of a project. Their trees are combined in
 * the folders `docs/`, `code/0/`, and `before/0/` for a repository whose changes are checked.
 */
import { plainDiff } from '../../base/files/diff-file.ts'
import { subtree } from '../../base/files/joined-tree.ts'
import { hashParts } from '../../base/hash.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import { toStorable } from '../../base/text/storable.ts'
import { createYielder } from '../../base/text/yielder.ts'
import type { CountedPage } from '../../database/schema/statements.ts'
import type { Inside, OpenInside } from '../../sandbox/inside.ts'
import { type Alarm, type ChangedFile, findAlarms } from './find-alarms.ts'
import { type Candidate, findCandidates, type Unlinked } from './find-candidates.ts'
import { findTouchedStatements, type TouchedStatement } from './find-touched.ts'
import type { Binding } from './operations/statements.ts'
import { isIgnored } from './read-code.ts'
import { type ReadableTree, readChanges, readCodeFiles, readPages, readText } from './read-trees.ts'
import { type CodeFile, mapStatements, type PageStatements } from './statement-map.ts'

export interface CheckRequest {
  /** Names of the repositories, in the order of their folders. */
  repositories: readonly string[]
  known: readonly KnownAlarm[]
  /** Names in the code that a model has linked statements with, by statement; null without a model. */
  readings: Readonly<Record<string, string[]>> | null
}

export interface KnownAlarm extends Pick<FoundAlarm, 'repository' | 'statement' | 'reason' | 'before'> {
  key: string
}

export interface CheckResult {
  pages: CountedPage[]
  statements: FoundStatement[]
  questions: PageQuestion[]
  alarms: FoundAlarm[]
  /** Keys of the known alarms whose statement is unchanged and whose old line was not restored. */
  standing: string[]
}

export interface FoundStatement {
  id: string
  page: string
  line: number
  text: string
  bindings: Binding[]
}

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
const MAX_ASKED_OF_PAGE = 20

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
  { repositories, known, readings }: CheckRequest,
): Promise<CheckResult> {
  const code = subtree(tree, 'code/')
  const pages = await readPages(subtree(tree, 'docs/'))
  const files: CodeFile[] = []
  for (const [number, name] of repositories.entries()) {
    const own = await readCodeFiles(subtree(code, `${number}/`), { outside: null, cache, name })
    for (const { file, facts } of own) files.push({ file: `${number}/${file}`, facts })
  }
  const { pages: mapped } = mapStatements(pages, files)
  const all = mapped.flatMap(({ file: page, statements }) =>
    statements.map((statement) => ({ ...statement, page, id: statementId(page, statement.text) })),
  )
  const linked = new Set(all.filter(({ bindings }) => bindings.length > 0).map(({ id }) => id))
  const isLinked = (page: string, text: string) => linked.has(statementId(page, text))
  const unlinked = readings === null ? [] : findCandidates(pages, files, isLinked)
  const places = all.flatMap(({ bindings }) =>
    bindings.flatMap(({ name, lines }) => lines.map((line) => ({ name, ...line }))),
  )
  const locate = await readLines(code, repositories, [
    ...places,
    ...unlinked.flatMap(({ candidates }) => candidates),
  ])
  const alarms: FoundAlarm[] = []
  const after = files.map(({ facts }) => facts)
  const read = readings === null ? pages : withReadings(pages, readings)
  for (const [number, repository] of repositories.entries()) {
    const before = subtree(tree, `before/${number}/`)
    if (before.files.size === 0) continue
    const changes = await readChanges(before, subtree(code, `${number}/`), null)
    for (const alarm of findAlarms({ ...changes, after, pages: read }))
      alarms.push(toFoundAlarm(alarm, repository))
  }
  const ids = new Set(all.map(({ id }) => id))
  const standing: KnownAlarm[] = []
  for (const alarm of known) {
    const path = `${repositories.indexOf(alarm.repository)}/${alarm.before.file}`
    if (ids.has(alarm.statement) && (await stands(code, path, alarm))) standing.push(alarm)
  }
  const doubted = new Set([...alarms, ...standing].map(({ statement }) => statement))
  const statements = new Map<string, FoundStatement>()
  for (const { id, page, line, text, bindings } of all) {
    if (statements.size >= MAX_STATEMENTS || statements.has(id)) continue
    if (bindings.length === 0 && !doubted.has(id)) continue
    const found = bindings.flatMap(({ name, lines }) => lines.map((one) => locate({ name, ...one })))
    statements.set(id, { id, page, line, text, bindings: found })
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
  tree: Inside['tree'],
  cache: Inside['cache'],
  { repository, files }: CompareRequest,
): Promise<Comparison | null> {
  const [before, after] = [subtree(tree, 'before/0/'), subtree(tree, 'code/0/')]
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

type Locate = (candidate: Candidate) => Binding

/** Reads the text of the lines, whose paths begin with the number of a repository. */
async function readLines(
  code: ReadableTree,
  repositories: readonly string[],
  places: readonly Candidate[],
): Promise<Locate> {
  const texts = new Map<string, string>()
  const yielder = createYielder()
  for (const [file, wanted] of Map.groupBy(places, (place) => place.file)) {
    const lines = (await readText(code, file)).split('\n')
    for (const { line } of wanted) texts.set(`${file}:${line}`, cut(lines[line - 1] ?? ''))
    if (yielder.isDue()) await yielder.yieldNow()
  }
  return ({ name, file, line }) => {
    const [number = '', ...path] = file.split('/')
    const repository = repositories[Number(number)] as string
    return { name, repository, file: path.join('/'), line, text: texts.get(`${file}:${line}`) ?? '' }
  }
}

function toQuestions(unlinked: readonly Unlinked[], locate: Locate): PageQuestion[] {
  return [...Map.groupBy(unlinked, ({ page }) => page)].map(([page, all]) => {
    const statements = all.slice(0, MAX_ASKED_OF_PAGE).map(({ statement, candidates }) => {
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
function withReadings(
  pages: readonly PageStatements[],
  readings: Readonly<Record<string, string[]>>,
): readonly PageStatements[] {
  return pages.map(({ file, statements }) => ({
    file,
    statements: statements.map((statement) => {
      const read = readings[statementId(file, statement.text)] ?? []
      return { ...statement, names: [...statement.names, ...read], about: [...statement.about, ...read] }
    }),
  }))
}

async function stands(code: ReadableTree, path: string, { reason, before }: KnownAlarm): Promise<boolean> {
  if (!code.files.has(path)) return true
  return (
    reason !== 'path' && !(await readText(code, path)).split('\n').some((line) => cut(line) === before.text)
  )
}

function cut(line: string): string {
  return line.trim().slice(0, MAX_LINE_LENGTH)
}

function toFoundAlarm(alarm: Alarm, repository: string): FoundAlarm {
  const { page, text, reason, name, before, after } = alarm
  const change = hashParts(repository, reason, name, before.text, after?.text ?? '')
  return { ...alarm, repository, statement: statementId(page, text), change }
}
