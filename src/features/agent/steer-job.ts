/** User actions on an existing job: send a message, publish, stop, archive. */
import { sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { recordNoChange } from '../../database/audit.ts'
import type { Tx } from '../../database/database.ts'
import type { WorkFailure } from '../../database/warnings.ts'
import type { AgentJob, AgentMessageBody } from './operations/agent.ts'
import type { AgentSetup } from './setup.ts'
import { enqueueRun, type StartJobDeps } from './start-job.ts'
import {
  addEvents,
  endPrompts,
  type JobRef,
  type JobRow,
  type JobValues,
  jobEvent,
  jobRows,
  toAgentJob,
} from './store.ts'
import { insertPrompt, reopenPrompt } from './turn-store.ts'

export type SendMessageDeps = Pick<StartJobDeps, 'queue'> & { agent: AgentSetup }

const CANCELLED: WorkFailure = { error: 'The job was cancelled.', code: 'cancelled' }
const ARCHIVED: WorkFailure = { error: 'The job was archived while it was running.', code: 'archived' }

/**
 * `completed | failed → active`; a message to an active job waits for the end of the current turn. After a
 * merged or closed pull request, changes go into a new one. Throws AppError `not_found`, `model_unavailable`,
 * `agent_job_archived`.
 */
export async function sendAgentMessage(
  deps: SendMessageDeps,
  tx: Tx,
  ref: JobRef & { askedBy: string },
  body: AgentMessageBody,
): Promise<AgentJob> {
  const job = await jobRows.get(tx, ref, ref.id, { lock: true })
  if (deps.agent.modelName === null) throw new AppError('model_unavailable')
  if (job.status === 'archived') throw new AppError('agent_job_archived')
  await insertPrompt(tx, job.id, { prompt: body.prompt, feedback: [], questions: [], askedBy: ref.askedBy })
  return toAgentJob(await reactivateJob(deps, tx, job))
}

/** `completed | failed → active` for a waiting prompt. Ends an active job's question. The caller holds the lock. */
export async function reactivateJob(deps: Pick<StartJobDeps, 'queue'>, tx: Tx, job: JobRow): Promise<JobRow> {
  if (job.status === 'active' && job.question === null) return job
  if (job.status === 'active') await endPrompts(tx, job.id, 'started') // the waiting prompt is the answer
  const stopped = job.status === 'failed' ? job.error : job.stopped
  const row = await setActive(tx, job.id, { phase: 'work', stopped })
  await addEvents(tx, job.id, [jobEvent(row)])
  await enqueueRun(deps, tx, job.id)
  return row
}

/**
 * `failed → active`, to publish a change that has already passed the check. Throws `not_found`,
 * `agent_job_archived`, `pull_request_decided`, `agent_job_unpublishable`.
 */
export async function publishAgentJob(
  deps: Pick<StartJobDeps, 'queue'>,
  tx: Tx,
  ref: JobRef,
): Promise<AgentJob> {
  const job = await jobRows.get(tx, ref, ref.id, { lock: true })
  if (job.status === 'archived') throw new AppError('agent_job_archived')
  requireUndecided(job)
  if (!canPublishAgain(job) || !(await reopenPrompt(tx, job.id)))
    throw new AppError('agent_job_unpublishable')
  const row = await setActive(tx, job.id, {})
  await addEvents(tx, job.id, [jobEvent(row)])
  await enqueueRun(deps, tx, job.id)
  return toAgentJob(row)
}

/** Returns true if the change was checked and only publishing failed. */
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

/** `active → failed`; the worker stops at its next check. Throws `not_found`, `agent_job_not_active`. */
export async function cancelAgentJob(tx: Tx, ref: JobRef): Promise<AgentJob> {
  const cancelled = await jobRows.cancel(tx, ref, ref.id, CANCELLED)
  if (cancelled !== undefined) return toAgentJob(cancelled)
  const { status } = await jobRows.get(tx, ref, ref.id)
  throw new AppError('agent_job_not_active', { params: { status } })
}

/** Any → `archived`, permanently; an active job is stopped first. Idempotent. Throws `not_found`. */
export async function archiveAgentJob(tx: Tx, ref: JobRef): Promise<AgentJob> {
  const job = await jobRows.get(tx, ref, ref.id, { lock: true })
  if (job.status === 'archived') {
    recordNoChange(tx)
    return toAgentJob(job)
  }
  if (job.status === 'active') await jobRows.cancel(tx, ref, ref.id, ARCHIVED)
  const row = await tx
    .updateTable('agent_jobs')
    .set({ status: 'archived', archived_at: sql`clock_timestamp()`, updated_at: sql`clock_timestamp()` })
    .where('id', '=', job.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await addEvents(tx, job.id, [jobEvent(row)])
  return toAgentJob(row)
}

/** Rejects a job whose pull request is merged or closed: changes after that need another job. */
export function requireUndecided(job: JobRow): void {
  const state = job.pull_request_state
  if (state === null || state === 'open') return
  throw new AppError('pull_request_decided', { params: { state } })
}
