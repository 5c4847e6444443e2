/**
 * Finds the pages that may be outdated after a push to a code repository: compares its files with those seen before,
 * and searches for pages that mention the differences. The search runs in the sandboxed process of the docs, which is
 * ended when it takes too long.
 */
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Database } from '../../../database/database.ts'
import type { SeenCode } from '../../../database/schema/automations.ts'
import {
  type CodeRepository,
  type Differences,
  isTooLarge,
  openCodeRepository,
} from '../../../git/code-repository.ts'
import { GitError, withoutCredentials } from '../../../git/git-error.ts'
import { openProjectRepository } from '../../../git/project-repository.ts'
import { PROJECT_SOURCE, type ProjectSourceDeps, type ProjectSourceRow } from '../../../git/project-source.ts'
import type { ToolSandboxPool } from '../check/tool-sandboxes.ts'
import type { ChangedCode, NamedPages } from '../edit/name-pages.ts'
import { isShown } from '../edit/paths.ts'
import { toProjectSource } from './code-reader.ts'

export interface StalePagesDeps {
  database: Pick<Database, 'queries'>
  git: ProjectSourceDeps
  benches: ToolSandboxPool
}

export interface ComparisonInput {
  organizationId: string
  projectId: string
  /** Name of the repository in the project. */
  repository: string
  /** The commit seen last; null before the first comparison. */
  seen: SeenCode | null
  /** Whether a changed file counts; the path is relative to the folder of the repository. */
  isWanted(path: string): boolean
}

export type CodeComparison =
  /** There is nothing to compare with, or nothing was pushed. */
  | { kind: 'seen'; seen: SeenCode }
  /** Reading failed. `seen` is set when the commit seen before no longer exists. */
  | { kind: 'unread'; seen: SeenCode | null; why: string }
  | { kind: 'compared'; seen: SeenCode; from: string; changed: Differences; named: NamedPages }

/** Time limit of the process that searches the pages. */
const SCAN_TIMEOUT_MS = 120_000
const MAX_FILES = 100_000
/** Limits for the files that are read, their changed lines, and the bytes of their names passed to git. */
const MAX_READ_FILES = 1000
const MAX_LINES = 40_000
const MAX_NAME_BYTES = 100_000
/** Generated or vendored files, and files that only programs read. */
const IGNORED_PATHS =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|__tests__|__snapshots__|testdata|fixtures|tests?)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum)$|\.(?:min\.js|min\.css|map|snap|lock)$|[._](?:test|spec)\.\w{1,5}$/
const PAGES_AND_SETTINGS = /\.mdx?$|(?:^|\/)(?:docs|mint)\.json$/

/** Rejects with errors that a retry may resolve: temporary GitError, ProcessLimitError, the signal's reason. */
export async function compareCode(
  deps: StalePagesDeps,
  input: ComparisonInput,
  signal: AbortSignal,
): Promise<CodeComparison> {
  const row = await findSource(deps, input)
  if (row === undefined)
    return { kind: 'unread', seen: null, why: `The project has no code repository ${input.repository}.` }
  const repository = openCodeRepository(deps.git, row)
  const seen = await resultOrReason(async () => ({
    commit: await repository.fetchCommit(null, signal),
    of: `${row.repository} ${row.ref ?? ''}`,
  }))
  if (typeof seen === 'string') return { kind: 'unread', seen: null, why: seen }
  if (input.seen === null || input.seen.of !== seen.of || input.seen.commit === seen.commit)
    return { kind: 'seen', seen }
  const commits = { from: input.seen.commit, to: seen.commit }
  const docs = await docsSource(deps, input)
  const isIn = (path: string) => isRelevant(path, row, docs) && input.isWanted(path)
  const found = await resultOrReason(async () => {
    const changed = await repository.listDifferences({ ...commits, path: '', isIn }, MAX_FILES, signal)
    return { changed, code: await readChanged(repository, commits, changed, signal) }
  })
  // A force push may have removed the old commit: the comparison then starts anew from the next one.
  if (typeof found === 'string') return { kind: 'unread', seen, why: found }
  const named = await resultOrReason(() => findNamedPages(deps, docs, found.code, signal))
  if (typeof named === 'string') return { kind: 'unread', seen: null, why: named }
  return { kind: 'compared', seen, from: commits.from, changed: found.changed, named }
}

async function findSource(
  { database }: StalePagesDeps,
  { projectId, repository }: ComparisonInput,
): Promise<ProjectSourceRow | undefined> {
  const stored = await database.queries
    .selectFrom('code_repositories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', '=', repository)
    .executeTakeFirst()
  return stored && toProjectSource(stored)
}

async function docsSource(
  { database }: StalePagesDeps,
  { projectId }: ComparisonInput,
): Promise<ProjectSourceRow> {
  return await database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE)
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
}

/** The docs may be in the same repository: their own changes do not count. */
function isRelevant(path: string, code: ProjectSourceRow, docs: ProjectSourceRow): boolean {
  if (!isShown(path) || IGNORED_PATHS.test(path)) return false
  if (plainAddress(code.repository) !== plainAddress(docs.repository)) return true
  if (docs.docs_folder === '') return !PAGES_AND_SETTINGS.test(path)
  const fullPath = code.docs_folder === '' ? path : `${code.docs_folder}/${path}`
  return !fullPath.startsWith(`${docs.docs_folder}/`)
}

function plainAddress(address: string): string {
  return withoutCredentials(address)
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
    .toLowerCase()
}

async function readChanged(
  repository: CodeRepository,
  commits: { from: string; to: string },
  { files }: Differences,
  signal: AbortSignal,
): Promise<ChangedCode> {
  const paths = files.map(({ path }) => path)
  const read = prioritizeFiles(files)
  const patch = await repository
    .readPatch(
      commits,
      read.map(({ path }) => path),
      signal,
    )
    .catch((error: unknown) => {
      // Very long lines: pages are then found only by the paths that they mention.
      if (isTooLarge(error)) return ''
      throw error
    })
  return { paths, patch }
}

/** Puts files that existed before first, since docs may mention them, ordered by the fewest changes. */
function prioritizeFiles(files: Differences['files']): Differences['files'] {
  const sizeOf = ({ added, removed }: Differences['files'][number]) => (added ?? 0) + (removed ?? 0)
  let [lines, bytes] = [0, 0]
  return files
    .filter(({ added }) => added !== null)
    .sort((a, b) => Number(b.removed !== 0) - Number(a.removed !== 0) || sizeOf(a) - sizeOf(b))
    .slice(0, MAX_READ_FILES)
    .filter((file) => {
      lines += sizeOf(file)
      bytes += Buffer.byteLength(file.path)
      return lines <= MAX_LINES && bytes <= MAX_NAME_BYTES
    })
}

async function findNamedPages(
  { git, benches }: StalePagesDeps,
  source: ProjectSourceRow,
  changed: ChangedCode,
  signal: AbortSignal,
): Promise<NamedPages> {
  if (changed.paths.length === 0) return { pages: [], total: 0, ranges: [] }
  const docs = openProjectRepository(git, source)
  const { commit } = await docs.fetchTarget(signal)
  const { organization_id: organizationId, id: projectId } = source
  const sandboxKey = { organizationId, projectId, commit, docsFolder: docs.docsFolder }
  await using toolSandbox = await benches.open(sandboxKey, (lasting) => docs.openDocs(commit, lasting))
  return await toolSandbox.use(
    (sandbox) => sandbox.call<NamedPages>('namingPages', changed),
    AbortSignal.any([signal, AbortSignal.timeout(SCAN_TIMEOUT_MS)]),
    () => undefined,
  )
}

/** Returns the message of an error that a retry would not resolve; rethrows others. */
async function resultOrReason<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    const isFinal = error instanceof PermanentError || (error instanceof GitError && !error.isTemporary)
    if (isFinal) return withoutCredentials(error.message)
    throw error
  }
}
