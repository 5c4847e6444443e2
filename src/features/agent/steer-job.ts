/** Actions of people on an existing job: continue, stop, archive. */
import { sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { recordNoChange } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import type { WorkFailure } from '../../database/warnings.ts'
import type { AgentJob, AgentMessageBody } from './operations/agent.ts'
import { getAgentJob } from './read-job.ts'
import type { AgentSetup } from './setup.ts'
import { type AgentCaller, enqueueRun, type StartJobDeps } from './start-job.ts'
import { addEvents, type JobRow, type JobValues, jobEvent, jobRows, toAgentJob } from './store.ts'
import { endAskedPrompt, insertPrompt, reopenPrompt } from './turn-store.ts'

export type SendMessageDeps = Pick<StartJobDeps, 'queue'> & { agent: AgentSetup }

const CANCELLED: WorkFailure = { error: 'The job was cancelled.', code: 'cancelled' }
const ARCHIVED: WorkFailure = { error: 'The job was archived while it was at work.', code: 'archived' }

/**
 * `completed | failed → active`; a message to an active job waits for the end of the current turn. After a merged or
 * closed pull request the change goes into a new one. Throws AppError `not_found`, `model_unavailable`,
 * `agent_job_archived`.
 */
export async function sendAgentMessage(
  deps: SendMessageDeps,
  tx: Tx,
  caller: AgentCaller,
  projectId: string,
  jobId: string,
  body: AgentMessageBody,
): Promise<AgentJob> {
  const job = await jobRows.get(tx, { organizationId: caller.organizationId, projectId }, jobId, {
    lock: true,
  })
  if (deps.agent.modelName === null) throw new AppError('model_unavailable')
  if (job.status === 'archived') throw new AppError('agent_job_archived')
  await insertPrompt(tx, jobId, { prompt: body.prompt, feedback: [], questions: [], askedBy: caller.id })
  return toAgentJob(await reactivateJob(deps, tx, job))
}

/** `completed | failed → active`, or out of a question, for a prompt that waits. The caller holds the row. */
export async function reactivateJob(deps: Pick<StartJobDeps, 'queue'>, tx: Tx, job: JobRow): Promise<JobRow> {
  if (job.status === 'active' && job.question === null) return job
  if (job.status === 'active') await endAskedPrompt(tx, job.id)
  const stopped = job.status === 'failed' ? job.error : job.stopped
  const row = await setActive(tx, job.id, { phase: 'work', stopped })
  await addEvents(tx, job.id, [jobEvent(row)])
  await enqueueRun(deps, tx, job.id)
  return row
}

/**
 * `failed → active`, to publish a change that is already checked. Throws `not_found`, `agent_job_archived`,
 * `pull_request_decided`, `agent_job_unpublishable`.
 */
export async function publishAgentJob(
  deps: Pick<StartJobDeps, 'queue'>,
  tx: Tx,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const job = await jobRows.get(tx, { organizationId, projectId }, jobId, { lock: true })
  if (job.status === 'archived') throw new AppError('agent_job_archived')
  requireUndecided(job)
  if (!canPublishAgain(job) || !(await reopenPrompt(tx, jobId))) throw new AppError('agent_job_unpublishable')
  const row = await setActive(tx, jobId, {})
  await addEvents(tx, jobId, [jobEvent(row)])
  await enqueueRun(deps, tx, jobId)
  return toAgentJob(row)
}

/** Whether the change was checked and only publishing failed. */
export function canPublishAgain(job: Pick<JobRow, 'status' | 'phase' | 'finished_at'>): boolean {
  return job.status === 'failed' && job.phase === 'publish' && job.finished_at !== null
}

async function setActive(tx: Tx, jobId: string, values: JobValues): Promise<JobRow> {
  return await tx
    .updateTable('agent_jobs')
    .set({
      ...values,
      status: 'active',
      question: null,
      error: null,
      error_code: null,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', jobId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** `active → failed`; the worker stops at its next check of the row. Throws `not_found`, `agent_job_not_active`. */
export async function cancelAgentJob(
  tx: Tx,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const cancelled = await jobRows.cancel(tx, { organizationId, projectId }, jobId, CANCELLED)
  if (cancelled !== undefined) return toAgentJob(cancelled)
  const { status } = await getAgentJob(tx, organizationId, projectId, jobId)
  throw new AppError('agent_job_not_active', { sentence: `The job is ${status} and cannot be cancelled.` })
}

/** Any → `archived`, permanently; an active job is stopped first. Idempotent. Throws `not_found`. */
export async function archiveAgentJob(
  tx: Tx,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const job = await jobRows.get(tx, { organizationId, projectId }, jobId, { lock: true })
  if (job.status === 'archived') {
    recordNoChange(tx)
    return toAgentJob(job)
  }
  if (job.status === 'active') await jobRows.cancel(tx, { organizationId, projectId }, jobId, ARCHIVED)
  const row = await tx
    .updateTable('agent_jobs')
    .set({ status: 'archived', archived_at: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', jobId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await addEvents(tx, jobId, [jobEvent(row)])
  return toAgentJob(row)
}

/** A merged or closed pull request takes no more commits; further changes need another job. */
export function requireUndecided(job: JobRow): void {
  const state = job.pull_request_state
  if (state === null || state === 'open') return
  throw new AppError('pull_request_decided', {
    sentence: `The pull request of this job is ${state} already.`,
  })
}
