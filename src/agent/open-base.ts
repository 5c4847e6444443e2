/**
 * The commit that a turn's changes lie on, and the files of it. Fixed once in a turn, together with what is kept of a turn
 * that was stopped: its changes are carried from the commit that they lay on, and the model is told of them.
 */
import type { FileTree } from '../base/file-tree.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { ProjectRepository } from '../git/project-repository.ts'
import type { Held } from '../queue/held-rows.ts'
import { type CarriedChanges, carryChanges } from './carry-changes.ts'
import { patiently, type Run } from './run.ts'
import { addEvents, type JobRow, jobEvent, updateHeld } from './store.ts'
import { tellKept } from './tell-kept.ts'
import { layKept, loadTurn, type Prompt, untakenPrompts } from './turn-store.ts'
import { openWorkspace } from './workspace.ts'

type Outside = Pick<Run, 'deps' | 'held' | 'log' | 'clock' | 'repository' | 'signal'>

/** The caller disposes the base. */
export async function openBase(
  outside: Outside,
  { held, job, prompt }: { held: Held; job: JobRow; prompt: Prompt },
): Promise<{ job: JobRow; base: FileTree }> {
  const { repository, signal } = outside
  const open = (commit: string) =>
    patiently(outside, 'the repository', () => repository.openDocs(commit, signal), signal)
  if (job.base_commit !== null) return { job, base: await open(job.base_commit) }

  const found = await patiently(outside, 'the repository', () => findBase(job, repository, signal), signal)
  await using opening = new AsyncDisposableStack()
  const base = opening.use(await open(found.commit))
  const kept = await carryKept(outside, job, found.commit, { base, open })
  const row = await fixBase(outside, { held, job, prompt }, { ...found, base, kept })
  opening.move()
  return { job: row, base }
}

interface FoundBase {
  commit: string
  /** The branch that the change is meant for, and its tip. */
  target: { branch: string; commit: string }
  /** Of the job's own branch; null when it was never pushed. */
  tip: string | null
}

/** The branch is looked for, not remembered: a turn may have been stopped between its push and the record of it. */
async function findBase(job: JobRow, repository: ProjectRepository, signal: AbortSignal): Promise<FoundBase> {
  const target = await repository.fetchTarget(signal)
  const tip = job.branch === null ? null : await branchTip(job.branch, job, repository, signal)
  return { commit: tip ?? target.commit, target, tip }
}

/** Whoever reviews may have pushed to it as well: what they did is kept. Null when it was never pushed. */
async function branchTip(
  branch: string,
  job: JobRow,
  repository: ProjectRepository,
  signal: AbortSignal,
): Promise<string | null> {
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null && job.pull_request_link !== null)
    throw new PermanentError(
      'branch_gone',
      `The branch ${branch} of this job was deleted in the meantime. Make a new job.`,
    )
  return tip
}

async function carryKept(
  { deps, held }: Outside,
  job: JobRow,
  commit: string,
  { base, open }: { base: FileTree; open: (commit: string) => Promise<FileTree> },
): Promise<CarriedChanges> {
  const { changes } = await loadTurn(deps.database.queries, held.id)
  if (job.kept_commit === null) return { changes: new Map(), lost: [] }
  if (job.kept_commit === commit) return { changes: new Map(changes), lost: [] }
  await using before = await open(job.kept_commit)
  return await carryChanges(before, base, changes)
}

async function fixBase(
  { deps: { database } }: Outside,
  { held, job, prompt }: { held: Held; job: JobRow; prompt: Prompt },
  { commit, target, tip, base, kept }: FoundBase & { base: FileTree; kept: CarriedChanges },
): Promise<JobRow> {
  return await database.transaction(async (tx) => {
    const row = await updateHeld(tx, held, {
      ref: target.branch,
      base_commit: commit,
      kept_commit: null,
      pushed_commit: tip,
      origin_commit: (tip === null ? null : job.origin_commit) ?? target.commit,
    })
    const text = tellKept({
      stopped: job.stopped,
      files: openWorkspace(base, kept.changes).changedFiles(),
      lost: kept.lost,
      waiting: await untakenPrompts(tx, held.id, prompt.number),
    })
    const message = text === null ? null : ({ role: 'user', text } as const)
    await layKept(tx, held, prompt, { changes: kept.changes, message })
    await addEvents(tx, held.id, [jobEvent(row)])
    return row
  })
}
