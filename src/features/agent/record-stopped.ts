/**
 * A job that was stopped between its push and the record of it: what is at the forge by now is looked for, and the row
 * tells of it. The job stays what it is, `failed` or `archived`.
 */
import type { PullRequest } from '../../git/forges/forge.ts'
import { openProjectRepository } from '../../git/project-repository.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import { forgeOf, readProject } from './loop/open-turn.ts'
import { requestValues } from './publish/publish.ts'
import { isTemporary, type RunDeps } from './run.ts'
import { addEvents, type JobRow, type JobValues, jobEvent } from './store.ts'

/** The queue tries again what is away for a moment; it gives up with this attempt. */
const LAST_ATTEMPT = 20

/** Does nothing for a job that never came so far, or whose record is whole. Rejects when a later attempt may see more. */
export async function recordStopped(deps: RunDeps, jobId: string, context: JobContext): Promise<void> {
  const job = await findStopped(deps, jobId)
  if (job === undefined) return
  try {
    const late = await lookOutside(deps, job, context.signal)
    if (late !== null) await recordLate(deps, job, late)
  } catch (error) {
    context.signal.throwIfAborted()
    if (isTemporary(error) && context.attempt < LAST_ATTEMPT) throw error
    context.log.warn({ jobId, error: (error as Error).message }, 'agent.stopped_unseen')
  }
}

async function findStopped({ database }: RunDeps, jobId: string): Promise<JobRow | undefined> {
  return await database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', jobId)
    .where('status', 'in', ['failed', 'archived'])
    .where('phase', '=', 'publish')
    .where('branch', 'is not', null)
    .executeTakeFirst()
}

interface Late {
  /** Where the branch stands. */
  tip: string
  values: JobValues
}

/** Null when the row says it all. */
async function lookOutside(deps: RunDeps, job: JobRow, signal: AbortSignal): Promise<Late | null> {
  const { source } = await readProject(deps, job)
  const repository = openProjectRepository(deps.git, source)
  const branch = job.branch ?? ''
  const tip = await repository.fetchBranch(branch, signal)
  if (tip === null || tip === job.pushed_commit) return null
  const forge = await forgeOf(deps, source, repository, job)
  const request: PullRequest | null = await forge.findPullRequest({ branch, target: job.ref }, signal)
  const files = await repository.changedFiles(job.origin_commit ?? tip, tip, signal)
  const values = {
    pushed_commit: tip,
    files_changed: files.length,
    ...(request === null ? {} : requestValues(job, request)),
  }
  return { tip, values }
}

/** Unless a message has set the job to work again, which looks for itself. */
async function recordLate({ database }: RunDeps, job: JobRow, { tip, values }: Late): Promise<void> {
  await database.transaction(async (tx) => {
    const row = await tx
      .updateTable('agent_jobs')
      .set(values)
      .where('id', '=', job.id)
      .where('status', 'in', ['failed', 'archived'])
      // Two attempts may have looked at the same moment: what they found is told once.
      .where('pushed_commit', 'is distinct from', tip)
      .returningAll()
      .executeTakeFirst()
    if (row !== undefined) await addEvents(tx, row.id, [jobEvent(row)])
  })
}
