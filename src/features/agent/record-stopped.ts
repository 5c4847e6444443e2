/**
 * Records the outcome of a job that was stopped after a push and before recording it: looks up the branch and
 * pull request on the forge and updates the row. The job's status stays `failed` or `archived`.
 */
import type { PullRequest } from '../../git/forges/forge.ts'
import { openProjectRepository } from '../../git/project-repository.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import { openJobForge, readProject } from './loop/open-turn.ts'
import { requestValues } from './publish/publish.ts'
import { addEvents, type JobRow, type JobValues, jobEvent } from './store.ts'
import type { RunDeps } from './turn-context.ts'
import { isTemporary } from './wait-for-service.ts'

/** Number of attempts after which temporary failures are no longer retried. */
const MAX_RECORD_ATTEMPTS = 20

/** Does nothing for a job that never pushed, or whose record is complete. Rejects if a retry may succeed. */
export async function recordStoppedJob(deps: RunDeps, jobId: string, context: JobContext): Promise<void> {
  const job = await findStoppedJob(deps, jobId)
  if (job === undefined) return
  try {
    const lateOutcome = await inspectRemote(deps, job, context.signal)
    if (lateOutcome !== null) await recordLateOutcome(deps, job, lateOutcome)
  } catch (error) {
    context.signal.throwIfAborted()
    if (isTemporary(error) && context.attempt < MAX_RECORD_ATTEMPTS) throw error
    context.log.warn({ jobId, error: (error as Error).message }, 'agent.stopped_unseen')
  }
}

async function findStoppedJob({ database }: RunDeps, jobId: string): Promise<JobRow | undefined> {
  return await database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('status', 'in', ['failed', 'archived'])
    .where('phase', '=', 'publish')
    .where('branch', 'is not', null)
    .executeTakeFirst()
}

interface LateOutcome {
  tip: string
  values: JobValues
}

/** Returns null when the row is complete. */
async function inspectRemote(deps: RunDeps, job: JobRow, signal: AbortSignal): Promise<LateOutcome | null> {
  const { source } = await readProject(deps, job)
  const repository = openProjectRepository(deps.git, source)
  const branch = job.branch ?? ''
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null || tip === job.pushed_commit) return null
  const forge = await openJobForge(deps, source, repository, job)
  const request: PullRequest | null = await forge.findPullRequest({ branch, target: job.ref }, signal)
  const files = await repository.changedFiles(job.origin_commit ?? tip, tip, signal)
  const values = {
    pushed_commit: tip,
    files_changed: files.length,
    ...(request === null ? {} : requestValues(job, request)),
  }
  return { tip, values }
}

/** Skips a job that a message has reactivated, because a reactivated job looks up its branch again. */
async function recordLateOutcome(
  { database }: RunDeps,
  job: JobRow,
  { tip, values }: LateOutcome,
): Promise<void> {
  await database.transaction(async (tx) => {
    const row = await tx
      .updateTable('agent_jobs')
      .set(values)
      .where('id', '=', job.id)
      .where('status', 'in', ['failed', 'archived'])
      // Two attempts may find the outcome at the same time; only one reports it.
      .where('pushed_commit', 'is distinct from', tip)
      .returningAll()
      .executeTakeFirst()
    if (row !== undefined) await addEvents(tx, row.id, [jobEvent(row)])
  })
}
