/** Compares a code repository with the commit seen before, and finds the statements that depend on the changes. */
import { PermanentError } from '../../base/errors/permanent-error.ts'
import type { Database } from '../../database/database.ts'
import type { SeenCommit } from '../../database/schema/automations.ts'
import { GitError, withoutCredentials } from '../../git/git-error.ts'
import { readSource } from '../agent/store.ts'
import { callStatementWork, openSource, type ProjectTreesDeps } from './project-trees.ts'
import type { Comparison } from './statement-work.ts'

export interface CompareCodeDeps extends ProjectTreesDeps {
  database: Pick<Database, 'queries'>
}

export interface ComparisonInput {
  projectId: string
  /** Name of the repository in the project. */
  repository: string
  /** The commit of the previous comparison; null before the first one. */
  seen: SeenCommit | null
  /** Patterns of the files whose changes count, relative to the folder of the repository. */
  files: readonly string[]
}

export type CodeComparison =
  /** There is nothing to compare with, or nothing was pushed. */
  | { kind: 'seen'; seen: SeenCommit }
  /** Reading failed. `seen` is set if the previous commit no longer exists. */
  | { kind: 'unread'; seen: SeenCommit | null; why: string }
  | ({ kind: 'compared'; seen: SeenCommit; from: string } & Comparison)

/** Rejects with errors that a retry may resolve: temporary GitError, ProcessLimitError, the signal's reason. */
export async function compareCode(
  deps: CompareCodeDeps,
  { projectId, repository: name, seen: last, files }: ComparisonInput,
  signal: AbortSignal,
): Promise<CodeComparison> {
  const { queries } = deps.database
  const stored = await queries
    .selectFrom('code_repositories')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (stored === undefined)
    return { kind: 'unread', seen: null, why: `The project has no code repository ${name}.` }
  try {
    const source = await openSource(deps.git, stored, { ref: null, last }, signal)
    const { seen, before: from } = source
    if (from === null) return { kind: 'seen', seen }
    const trees = { docs: { row: await readSource(queries, projectId), revision: null }, sources: [source] }
    const call = { method: 'compare', request: { repository: name, files } } as const
    const found = await callStatementWork<Comparison | null>(deps, trees, call, signal)
    return found === null
      ? { kind: 'unread', seen, why: `The repository no longer has the commit ${from}.` }
      : { kind: 'compared', seen, from, ...found }
  } catch (error) {
    const isFinal = error instanceof PermanentError || (error instanceof GitError && !error.isTemporary)
    if (!isFinal) throw error
    return { kind: 'unread', seen: null, why: withoutCredentials(error.message) }
  }
}
