/** Opens the docs and the code repositories of a project in one sandboxed process. */
import type { Selectable } from 'kysely'
import { joinTrees, type TreePart } from '../../base/files/joined-tree.ts'
import { sha256 } from '../../base/hash.ts'
import type { CodeRepositoryTable } from '../../database/schema/agent.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import { type CodeRepository, openCodeRepository } from '../../git/code-repository.ts'
import { GitError, withoutCredentials } from '../../git/git-error.ts'
import { openProjectTree, type ProjectSourceDeps, type ProjectSourceRow } from '../../git/project-source.ts'
import type { ToolSandboxPool } from '../agent/check/tool-sandboxes.ts'
import { toProjectSource } from '../agent/code/code-reader.ts'
import type { CheckRequest, CompareRequest } from './statement-work.ts'

export interface ProjectTreesDeps {
  git: ProjectSourceDeps
  toolSandboxes: ToolSandboxPool
}

export interface CodeSource {
  id: string
  name: string
  row: ProjectSourceRow
  repository: CodeRepository
  seen: SeenCommit
  /** Earlier commit with which it is compared; null for no comparison. */
  before: string | null
}

/** Fetches the ref. It is compared with the commit that was seen before, if that is another. */
export async function openSource(
  git: ProjectSourceDeps,
  stored: Selectable<CodeRepositoryTable>,
  { ref, last }: { ref: string | null; last: SeenCommit | null },
  signal: AbortSignal,
): Promise<CodeSource> {
  const { id, name } = stored
  const row = toProjectSource(stored)
  const repository = openCodeRepository(git, row)
  const commit = await repository.fetchCommit(ref, signal)
  const seen = { commit, of: `${row.repository} ${ref ?? row.ref ?? ''}` }
  const isMoved = last !== null && last.of === seen.of && last.commit !== commit
  return { id, name, row, repository, seen, before: isMoved ? last.commit : null }
}

export interface ProjectTrees {
  /** Null for the newest commit. */
  docs: { row: ProjectSourceRow; revision: string | null }
  sources: readonly CodeSource[]
}

const TIMEOUT_MS = 180_000

/** Calls a method of `statement-work.ts`. */
export async function callStatementWork<Out>(
  { git, toolSandboxes }: ProjectTreesDeps,
  { docs, sources }: ProjectTrees,
  call: { method: 'check'; request: CheckRequest } | { method: 'compare'; request: CompareRequest },
  signal: AbortSignal,
): Promise<Out> {
  const { organization_id: organizationId, id: projectId } = docs.row
  const commits = [
    docs.revision ?? Date.now(),
    ...sources.map(({ name, seen, before }) => [name, seen.commit, before]),
  ]
  const key = { organizationId, projectId, commit: sha256(JSON.stringify(commits)), docsFolder: '' }
  const openAll = async (lasting: AbortSignal) => {
    await using opened = new AsyncDisposableStack()
    const parts: TreePart[] = []
    const tree = opened.use(await openProjectTree(git, docs.row, docs.revision, lasting))
    parts.push({ prefix: 'docs/', tree, without: null })
    for (const { name, row, repository, seen, before } of sources) {
      const without = docsFolderIn(row, docs.row)
      const code = opened.use(await repository.openFiles(seen.commit, lasting))
      parts.push({ prefix: `code/${name}/`, tree: code, without })
      const earlier = before !== null && (await openEarlierTree(repository, before, lasting))
      if (earlier) parts.push({ prefix: `before/${name}/`, tree: opened.use(earlier), without })
    }
    opened.move()
    return joinTrees(parts, key.commit)
  }
  await using sandbox = await toolSandboxes.open({ ...key, kind: 'statements' }, openAll)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
  return await sandbox.use(
    (worker) => worker.call<Out>(call.method, call.request),
    ending,
    () => undefined,
  )
}

/**
 * Returns null if the commit cannot be opened, for example after a force push. The comparison then starts anew
 * from the next commit.
 */
async function openEarlierTree(repository: CodeRepository, commit: string, signal: AbortSignal) {
  try {
    return await repository.openFiles(commit, signal)
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    if (cause instanceof GitError && !cause.isTemporary) return null
    throw error
  }
}

export function isShared(code: ProjectSourceRow, docs: ProjectSourceRow): boolean {
  const [one, other] = [code, docs].map(({ repository }) =>
    withoutCredentials(repository)
      .replace(/(?:\.git)?\/?$/, '')
      .toLowerCase(),
  )
  return one === other
}

/**
 * Returns the path of the docs folder inside the code folder, because files in it do not count as code. Returns null if
 * it is not inside, or if the docs folder is the repository's root, which then contains code too.
 */
function docsFolderIn(code: ProjectSourceRow, docs: ProjectSourceRow): string | null {
  if (!isShared(code, docs) || docs.docs_folder === '') return null
  if (code.docs_folder === '') return docs.docs_folder
  const outer = `${code.docs_folder}/`
  return docs.docs_folder.startsWith(outer) ? docs.docs_folder.slice(outer.length) : null
}
