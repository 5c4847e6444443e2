/**
 * Opens the commit that a turn's changes are based on. It is fixed once per turn:
 *
 *   the pull request is open     the tip of its branch, merged with the new commits of the target
 *   it was merged or closed      the tip of the target: what follows is a new branch and pull request
 *   there is none yet            the tip of the target
 *
 * Changes of a turn that was stopped, or whose branch was moved by others, are carried over from their old base; the
 * model sees both sides of a conflict.
 */

import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { GitError } from '../../../git/git-error.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import type { MergeOntoInput } from '../../../git/push/merge-trees.ts'
import type { RowLease } from '../../../queue/leased-rows.ts'
import type { ToolSandbox } from '../check/tool-sandboxes.ts'
import { findContent } from '../edit/change-files.ts'
import { type Content, toCommitChanges } from '../review/change-content.ts'
import { addEvents, type JobRow, jobEvent, updateLeased } from '../store.ts'
import type { Run } from '../turn-context.ts'
import { findUntakenPrompts, loadTurn, type Prompt, saveCarriedChanges } from '../turn-store.ts'
import { retryUntilAvailable } from '../wait-for-service.ts'
import { describeConflicts, describeRetainedWork } from './describe-state.ts'
import { describeOtherChanges, findOtherChanges } from './other-changes.ts'
import { syncRequestState } from './pull-requests.ts'
import { openWorkspace } from './workspace.ts'

type BaseContext = Pick<Run, 'deps' | 'held' | 'log' | 'clock' | 'repository' | 'signal'>

/** Opens the files for the turn. The caller disposes the returned `toolSandbox`. */
export async function openBase(
  context: BaseContext,
  { held, job, prompt }: { held: RowLease; job: JobRow; prompt: Prompt },
): Promise<{ job: JobRow; toolSandbox: ToolSandbox }> {
  const { repository, signal } = context
  const fromRepository = <T>(work: () => Promise<T>) =>
    retryUntilAvailable(context, 'the repository', work, signal)
  if (job.merged_commit !== null)
    await fromRepository(() => repository.mergeOnto(buildMerge(context, job), signal))
  if (job.base_commit !== null) return { job, toolSandbox: await openSandbox(context, job, job.base_commit) }

  const seen = await retryUntilAvailable(
    context,
    'the forge',
    () => syncRequestState(context.deps, job, signal),
    signal,
  )
  const found = await fromRepository(() => findBase(context, seen))
  await using opening = new AsyncDisposableStack()
  const toolSandbox = opening.use(await openSandbox(context, seen, found.commit))
  const carried = await carrySavedChanges(context, seen, found.commit)
  const row = await saveBase(
    context,
    { held, job: seen, prompt },
    { ...found, base: toolSandbox.base, carried },
  )
  opening.move()
  return { job: row, toolSandbox }
}

/** Opens the files for all jobs at the commit. If this job's own signal aborts, only this job stops waiting. */
async function openSandbox(context: BaseContext, job: JobRow, commit: string): Promise<ToolSandbox> {
  const { deps, repository, signal } = context
  const { organization_id: organizationId, project_id: projectId } = job
  const sandboxKey = { organizationId, projectId, commit, docsFolder: repository.docsFolder }
  const open = () => deps.toolSandboxes.open(sandboxKey, (lasting) => repository.openDocs(commit, lasting))
  return await retryUntilAvailable(context, 'the repository', open, signal)
}

/** Returns whether the pull request was merged or closed, so that the next change needs a new one. */
export function isOver({ pull_request_state: state }: Pick<JobRow, 'pull_request_state'>): boolean {
  return state === 'merged' || state === 'closed'
}

/** Returns the commit that reviewers compare with; null for the base of the turn. */
export function findStartCommit(job: JobRow): string | null {
  return isOver(job) ? null : (job.merged_commit ?? job.origin_commit)
}

interface FoundBase {
  commit: string
  target: { branch: string; commit: string }
  /** Tip of the job's own branch; null when it was never pushed, or its pull request is over. */
  tip: string | null
  /** Merge of the target's new commits, which is part of `commit`. */
  merge: { base: string; theirs: string; conflicts: string[] } | null
  /** Reason why new commits of the target could not be merged. */
  unmerged: string | null
}

/**
 * Fetches the branch instead of trusting the row, because a turn may have been stopped after a push and
 * before recording it.
 */
async function findBase(context: BaseContext, job: JobRow): Promise<FoundBase> {
  const { repository, signal } = context
  const target = await repository.fetchTarget(signal)
  const tip =
    job.branch === null || isOver(job) ? null : await fetchBranchTip(job.branch, job, repository, signal)
  const alone = { target, tip, merge: null, unmerged: null }
  if (tip === null) return { ...alone, commit: target.commit }
  const originCommit = job.origin_commit
  if (originCommit === null || originCommit === target.commit) return { ...alone, commit: tip }
  try {
    const mergedJob = { ...job, pushed_commit: tip, merge_base: originCommit, merged_commit: target.commit }
    const { commit, conflicts } = await repository.mergeOnto(buildMerge(context, mergedJob), signal)
    return { ...alone, commit, merge: { base: originCommit, theirs: target.commit, conflicts } }
  } catch (error) {
    if (!(error instanceof GitError || error instanceof PermanentError)) throw error
    if (error instanceof GitError && error.isTemporary) throw error
    return { ...alone, commit: tip, unmerged: error.message }
  }
}

/** Deterministic: the same row results in the same merge commit on every node. */
function buildMerge({ deps }: BaseContext, job: JobRow): MergeOntoInput {
  const [base, ours, theirs] = [job.merge_base ?? '', job.pushed_commit ?? '', job.merged_commit ?? '']
  const message = `Take in what came into ${job.ref}\n\nOctavo-Job: ${job.id}\n`
  const at = job.turn_started_at ?? job.created_at
  return { base, ours, theirs, parents: [ours, theirs], message, author: deps.author, at }
}

/** Returns the tip including commits that reviewers pushed; null when the branch was never pushed. */
async function fetchBranchTip(
  branch: string,
  job: JobRow,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<string | null> {
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null && job.pull_request_state !== null)
    throw new PermanentError(
      'branch_gone',
      `The branch ${branch} of this job was deleted in the meantime. Start a new job.`,
    )
  return tip
}

async function carrySavedChanges(context: BaseContext, job: JobRow, commit: string): Promise<CarriedChanges> {
  const { deps, held, repository, signal } = context
  const { changes } = await loadTurn(deps.database.queries, held.id)
  const from = job.kept_commit
  if (from === null) return { changes: new Map(), conflicts: [] }
  if (from === commit) return { changes: new Map(changes), conflicts: [] }
  const written = { message: 'Saved changes', author: deps.author, at: job.turn_started_at ?? job.created_at }
  const theirs = await repository.writeCommit(
    { ...written, parent: from, changes: toCommitChanges(changes) },
    signal,
  )
  const onto = { ...written, base: from, ours: commit, theirs, parents: [commit] }
  const merged = await repository.mergeOnto(onto, signal)
  const carried = await readChanges(repository, { from: commit, to: merged.commit }, signal)
  return { changes: carried, conflicts: merged.conflicts }
}

async function saveBase(
  { deps: { database } }: BaseContext,
  { held, job, prompt }: { held: RowLease; job: JobRow; prompt: Prompt },
  {
    commit,
    target,
    tip,
    merge,
    unmerged,
    base,
    carried,
  }: FoundBase & { base: FileTree; carried: CarriedChanges },
): Promise<JobRow> {
  const conflicts = [...new Set([...(merge?.conflicts ?? []), ...carried.conflicts])].sort()
  const branch = isOver(job)
    ? {}
    : { pushed_commit: tip, origin_commit: (tip === null ? null : job.origin_commit) ?? target.commit }
  return await database.transaction(async (tx) => {
    const row = await updateLeased(tx, held, {
      ...branch,
      ref: target.branch,
      base_commit: commit,
      kept_commit: null,
      merged_commit: merge?.theirs ?? null,
      merge_base: merge?.base ?? null,
      conflicts: JSON.stringify(conflicts),
      // Finished work stays finished when others move the branch, unless it conflicts with their commits.
      ...(conflicts.length > 0 && { finished_at: null }),
    })
    const kind = job.finished_at !== null && conflicts.length === 0 ? 'moved' : 'told'
    const texts = [
      kind === 'moved'
        ? null
        : describeRetainedWork({
            stopped: job.stopped,
            files: openWorkspace(base, carried.changes).changedFiles(),
            others: describeOtherChanges(await findOtherChanges(tx, job)),
            waiting: await findUntakenPrompts(tx, held.id, prompt.number),
          }),
      describeConflicts({ target: target.branch, conflicts, isOver: isOver(job), past: job, unmerged }),
    ].filter((text) => text !== null)
    const message =
      kind === 'moved' || texts.length === 0 ? null : ({ role: 'user', text: texts.join('\n\n') } as const)
    await saveCarriedChanges(tx, held, prompt, { changes: carried.changes, message })
    await addEvents(tx, held.id, [jobEvent(row)])
    return row
  })
}

interface CarriedChanges {
  changes: Map<string, Content | null>
  /** Files with conflicts. Texts contain both versions between markers; images have the version of the other side. */
  conflicts: string[]
}

async function readChanges(
  repository: Pick<ProjectRepository, 'changedFiles' | 'openDocs'>,
  { from, to }: { from: string; to: string },
  signal: AbortSignal,
): Promise<Map<string, Content | null>> {
  const files = await repository.changedFiles(from, to, signal)
  await using tree = await repository.openDocs(to, signal)
  const changes = new Map<string, Content | null>()
  for (const { path, change } of files) {
    if (change === 'deleted') changes.set(path, null)
    else {
      const content = await findContent(tree, path)
      if (content !== null) changes.set(path, content)
    }
  }
  return changes
}
