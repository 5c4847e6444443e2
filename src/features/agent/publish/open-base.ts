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
import type { MergeOnto } from '../../../git/push/merge-onto.ts'
import type { Held } from '../../../queue/held-rows.ts'
import type { Bench } from '../check/benches.ts'
import { contentIn } from '../edit/change-files.ts'
import { bytesOf, type Changes, type Content, committed } from '../review/change-content.ts'
import { patiently, type Run } from '../run.ts'
import { addEvents, type JobRow, jobEvent, updateHeld } from '../store.ts'
import { layKept, loadTurn, type Prompt, untakenPrompts } from '../turn-store.ts'
import { findOtherChanges, tellOthers } from './other-changes.ts'
import { seeRequest } from './pull-requests.ts'
import { tellConflicts } from './tell-conflicts.ts'
import { tellKept } from './tell-kept.ts'
import { openWorkspace } from './workspace.ts'

type Outside = Pick<Run, 'deps' | 'held' | 'log' | 'clock' | 'repository' | 'signal'>

/** The caller disposes the returned `bench`, which gives access to the files. */
export async function openBase(
  outside: Outside,
  { held, job, prompt }: { held: Held; job: JobRow; prompt: Prompt },
): Promise<{ job: JobRow; bench: Bench }> {
  const { repository, signal } = outside
  const fromRepository = <T>(work: () => Promise<T>) => patiently(outside, 'the repository', work, signal)
  if (job.merged_commit !== null)
    await fromRepository(() => repository.mergeOnto(mergeOf(outside, job), signal))
  if (job.base_commit !== null) return { job, bench: await openBench(outside, job, job.base_commit) }

  const seen = await patiently(outside, 'the forge', () => seeRequest(outside.deps, job, signal), signal)
  const found = await fromRepository(() => findBase(outside, seen))
  await using opening = new AsyncDisposableStack()
  const bench = opening.use(await openBench(outside, seen, found.commit))
  const kept = await carryKept(outside, seen, found.commit, bench.base)
  const row = await fixBase(outside, { held, job: seen, prompt }, { ...found, base: bench.base, kept })
  opening.move()
  return { job: row, bench }
}

/** The files are opened for all jobs at the commit; this job stops waiting when its own signal aborts. */
async function openBench(outside: Outside, job: JobRow, commit: string): Promise<Bench> {
  const { deps, repository, signal } = outside
  const { organization_id: organizationId, project_id: projectId } = job
  const place = { organizationId, projectId, commit, docsFolder: repository.docsFolder }
  const open = () => deps.benches.open(place, (lasting) => repository.openDocs(commit, lasting))
  return await patiently(outside, 'the repository', open, signal)
}

/** True once the pull request was merged or closed: the next change needs a new one. */
export function isOver({ pull_request_state: state }: Pick<JobRow, 'pull_request_state'>): boolean {
  return state === 'merged' || state === 'closed'
}

/** Returns the commit that reviewers compare with; null for the base of the turn. */
export function changeBegins(job: JobRow): string | null {
  return isOver(job) ? null : (job.merged_commit ?? job.origin_commit)
}

interface FoundBase {
  commit: string
  /** Target branch of the change, and its tip. */
  target: { branch: string; commit: string }
  /** Tip of the job's own branch; null when it was never pushed, or its pull request is over. */
  tip: string | null
  /** Merge of the target's new commits, which is part of `commit`. */
  merge: { base: string; theirs: string; conflicts: string[] } | null
  /** Reason why new commits of the target could not be merged. */
  unmerged: string | null
}

/**
 * Fetches the branch instead of trusting the row: a turn may have been stopped between its push and the record of it.
 */
async function findBase(outside: Outside, job: JobRow): Promise<FoundBase> {
  const { repository, signal } = outside
  const target = await repository.fetchTarget(signal)
  const tip = job.branch === null || isOver(job) ? null : await branchTip(job.branch, job, repository, signal)
  const alone = { target, tip, merge: null, unmerged: null }
  if (tip === null) return { ...alone, commit: target.commit }
  const begun = job.origin_commit
  if (begun === null || begun === target.commit) return { ...alone, commit: tip }
  try {
    const taken = { ...job, pushed_commit: tip, merge_base: begun, merged_commit: target.commit }
    const { commit, conflicts, hasMarks } = await repository.mergeOnto(mergeOf(outside, taken), signal)
    if (hasMarks) return { ...alone, commit, merge: { base: begun, theirs: target.commit, conflicts } }
    return { ...alone, commit: tip, unmerged: `Both sides have changed ${conflicts.join(', ')}.` }
  } catch (error) {
    if (!(error instanceof GitError || error instanceof PermanentError)) throw error
    if (error instanceof GitError && error.isTemporary) throw error
    return { ...alone, commit: tip, unmerged: error.message }
  }
}

/** Deterministic: the same row results in the same merge commit on every node. */
function mergeOf({ deps }: Outside, job: JobRow): MergeOnto {
  const [base, ours, theirs] = [job.merge_base ?? '', job.pushed_commit ?? '', job.merged_commit ?? '']
  const message = `Take in what came into ${job.ref}\n\nOctavo-Job: ${job.id}\n`
  const at = job.turn_started_at ?? job.created_at
  return { base, ours, theirs, parents: [ours, theirs], message, author: deps.author, at }
}

/** Returns the tip including commits that reviewers pushed; null when the branch was never pushed. */
async function branchTip(
  branch: string,
  job: JobRow,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<string | null> {
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null && job.pull_request_state !== null)
    throw new PermanentError(
      'branch_gone',
      `The branch ${branch} of this job was deleted in the meantime. Make a new job.`,
    )
  return tip
}

async function carryKept(
  outside: Outside,
  job: JobRow,
  commit: string,
  base: FileTree,
): Promise<CarriedChanges> {
  const { deps, held, repository, signal } = outside
  const { changes } = await loadTurn(deps.database.queries, held.id)
  const from = job.kept_commit
  if (from === null) return { changes: new Map(), lost: [], conflicts: [] }
  if (from === commit) return { changes: new Map(changes), lost: [], conflicts: [] }
  const written = { message: 'kept', author: deps.author, at: job.turn_started_at ?? job.created_at }
  const theirs = await repository.writeCommit(
    { ...written, parent: from, changes: committed(changes) },
    signal,
  )
  const onto = { ...written, base: from, ours: commit, theirs, parents: [commit] }
  const merged = await repository.mergeOnto(onto, signal)
  if (merged.hasMarks) {
    const carried = await readChanges(repository, { from: commit, to: merged.commit }, signal)
    return { changes: carried, lost: [], conflicts: merged.conflicts }
  }
  await using before = await openBench(outside, job, from)
  return { ...(await carryChanges(before.base, base, changes)), conflicts: [] }
}

async function fixBase(
  { deps: { database } }: Outside,
  { held, job, prompt }: { held: Held; job: JobRow; prompt: Prompt },
  { commit, target, tip, merge, unmerged, base, kept }: FoundBase & { base: FileTree; kept: CarriedChanges },
): Promise<JobRow> {
  const conflicts = [...new Set([...(merge?.conflicts ?? []), ...kept.conflicts])].sort()
  const branch = isOver(job)
    ? {}
    : { pushed_commit: tip, origin_commit: (tip === null ? null : job.origin_commit) ?? target.commit }
  return await database.transaction(async (tx) => {
    const row = await updateHeld(tx, held, {
      ...branch,
      ref: target.branch,
      base_commit: commit,
      kept_commit: null,
      merged_commit: merge?.theirs ?? null,
      merge_base: merge?.base ?? null,
      conflicts: JSON.stringify(conflicts),
      // Work that was finished before others moved the branch stays finished, unless it conflicts with theirs.
      ...(conflicts.length > 0 && { finished_at: null }),
    })
    const kind = job.finished_at !== null && conflicts.length === 0 ? 'moved' : 'told'
    const texts = [
      kind === 'moved'
        ? null
        : tellKept({
            stopped: job.stopped,
            files: openWorkspace(base, kept.changes).changedFiles(),
            lost: kept.lost,
            others: tellOthers(await findOtherChanges(tx, job)),
            waiting: await untakenPrompts(tx, held.id, prompt.number),
          }),
      tellConflicts({ target: target.branch, conflicts, isOver: isOver(job), past: job, unmerged }),
    ].filter((text) => text !== null)
    const message =
      kind === 'moved' || texts.length === 0 ? null : ({ role: 'user', text: texts.join('\n\n') } as const)
    await layKept(tx, held, prompt, { changes: kept.changes, message })
    await addEvents(tx, held.id, [jobEvent(row)])
    return row
  })
}

/** Changes of a stopped turn, carried over to another commit. */
interface CarriedChanges {
  changes: Map<string, Content | null>
  /** Files that others changed differently in the meantime; their version stays. */
  lost: string[]
  /** Files with conflicts: texts contain both versions with conflict markers; of pictures the others' version stays. */
  conflicts: string[]
}

/** A file with the same content on both sides is no longer a change: the branch has it. */
async function carryChanges(
  from: FileTree,
  to: FileTree,
  kept: Changes,
): Promise<Omit<CarriedChanges, 'conflicts'>> {
  const changes = new Map<string, Content | null>()
  const lost: string[] = []
  for (const [path, content] of kept) {
    if (from.files.get(path)?.digest === to.files.get(path)?.digest) changes.set(path, content)
    else if (!(await isAt(to, path, content))) lost.push(path)
  }
  return { changes, lost }
}

async function isAt(tree: FileTree, path: string, content: Content | null): Promise<boolean> {
  if (content === null || !tree.files.has(path)) return (content === null) === !tree.files.has(path)
  return Buffer.from(await tree.read(path)).equals(bytesOf(content))
}

/** Returns the difference between two commits as changes of a turn: texts, pictures, and null for deleted files. */
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
      const content = await contentIn(tree, path)
      if (content !== null) changes.set(path, content)
    }
  }
  return changes
}
