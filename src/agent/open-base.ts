/**
 * The commit that a turn's changes lie on, and the files of it. Fixed once in a turn, together with what is kept of a turn
 * that was stopped: its changes are carried from the commit that they lay on, and the model is told of them.
 */
import type { FileTree } from '../base/file-tree.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { ProjectRepository } from '../git/project-repository.ts'
import type { Held } from '../queue/held-rows.ts'
import type { Bench } from './benches.ts'
import { type CarriedChanges, carryChanges } from './carry-changes.ts'
import { findOtherChanges, tellOthers } from './other-changes.ts'
import { patiently, type Run } from './run.ts'
import { addEvents, type JobRow, jobEvent, updateHeld } from './store.ts'
import { tellKept } from './tell-kept.ts'
import { layKept, loadTurn, type Prompt, untakenPrompts } from './turn-store.ts'
import { openWorkspace } from './workspace.ts'

type Outside = Pick<Run, 'deps' | 'held' | 'log' | 'clock' | 'repository' | 'signal'>

/** The caller disposes the bench, which has the files. */
export async function openBase(
  outside: Outside,
  { held, job, prompt }: { held: Held; job: JobRow; prompt: Prompt },
): Promise<{ job: JobRow; bench: Bench }> {
  const { repository, signal } = outside
  if (job.base_commit !== null) return { job, bench: await openBench(outside, job, job.base_commit) }

  const found = await patiently(outside, 'the repository', () => findBase(job, repository, signal), signal)
  await using opening = new AsyncDisposableStack()
  const bench = opening.use(await openBench(outside, job, found.commit))
  const kept = await carryKept(outside, job, found.commit, bench.base)
  const row = await fixBase(outside, { held, job, prompt }, { ...found, base: bench.base, kept })
  opening.move()
  return { job: row, bench }
}

/** The files are read for all jobs at the commit; this one waits for no longer than its own signal lasts. */
async function openBench(outside: Outside, job: JobRow, commit: string): Promise<Bench> {
  const { deps, repository, signal } = outside
  const { organization_id: organizationId, project_id: projectId } = job
  const place = { organizationId, projectId, commit, docsFolder: repository.docsFolder }
  const open = () => deps.benches.open(place, (lasting) => repository.openDocs(commit, lasting))
  return await patiently(outside, 'the repository', open, signal)
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
  outside: Outside,
  job: JobRow,
  commit: string,
  base: FileTree,
): Promise<CarriedChanges> {
  const { deps, held } = outside
  const { changes } = await loadTurn(deps.database.queries, held.id)
  if (job.kept_commit === null) return { changes: new Map(), lost: [] }
  if (job.kept_commit === commit) return { changes: new Map(changes), lost: [] }
  await using before = await openBench(outside, job, job.kept_commit)
  return await carryChanges(before.base, base, changes)
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
      others: tellOthers(await findOtherChanges(tx, job)),
      waiting: await untakenPrompts(tx, held.id, prompt.number),
    })
    const message = text === null ? null : ({ role: 'user', text } as const)
    await layKept(tx, held, prompt, { changes: kept.changes, message })
    await addEvents(tx, held.id, [jobEvent(row)])
    return row
  })
}
