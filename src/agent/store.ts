/**
 * Rows of agent jobs.
 *
 *     active, work ──finished, checked──▶ active, publish ──recorded──▶ completed
 *       │  ▲    ▲                            │   │   ▲                    │
 *       │  │    └──recorded, a message waits─┘   │   └─┘ claim            │
 *       │  └─┘ claim by a later attempt          │                        │
 *       └──fail, cancel──▶ failed ◀──fail, cancel┘                        │
 *                            └──message──▶ active, work ◀──message────────┘
 *     any ──archive──▶ archived
 *
 * Each move is one UPDATE guarded by the status it comes from and, for workers, by the queue's job and attempt. What a
 * move changes and the events that tell of it are one transaction; its UPDATE goes first, so that its lock orders them.
 */
import { type Selectable, sql, type UpdateObject } from 'kysely'
import { storable, storableText } from '../base/storable.ts'
import type { AgentEvent, AgentJob } from '../contract/agent.ts'
import type { JobErrorCode } from '../contract/job-errors.ts'
import { recordAudit, SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { recordEvent } from '../database/outbox.ts'
import type { Schema } from '../database/schema.ts'
import type { AgentJobTable } from '../database/schema-agent.ts'
import { RowLostError } from '../queue/lease.ts'

export type JobRow = Selectable<AgentJobTable>

export type JobValues = UpdateObject<Schema, 'agent_jobs'>

/** Who may write a job's row: one attempt of one job of the queue. */
export interface Held {
  id: string
  queueJobId: string
  attempt: number
}

export interface NewJob {
  id: string
  organizationId: string
  projectId: string
  repository: string
  ref: string
  model: string
  /** Id of the key or the member. */
  startedBy: string
}

export async function insertJob(tx: Tx, job: NewJob): Promise<JobRow> {
  return tx
    .insertInto('agent_jobs')
    .values({
      id: job.id,
      organization_id: job.organizationId,
      project_id: job.projectId,
      repository: job.repository,
      ref: job.ref,
      model: job.model,
      started_by: job.startedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Of this organization's project only: another one's job is as absent as one that does not exist. */
export async function findJob(
  queries: Queries,
  place: { organizationId: string; projectId: string },
  id: string,
): Promise<JobRow | undefined> {
  return queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', place.projectId)
    .where('organization_id', '=', place.organizationId)
    .executeTakeFirst()
}

/** Hands an active job to this attempt. Undefined when the job is over or a later attempt holds it. */
export async function claimJob(queries: Queries, held: Held): Promise<JobRow | undefined> {
  return queries
    .updateTable('agent_jobs')
    .set({
      queue_attempt: held.attempt,
      idle_attempts: sql`idle_attempts + 1`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', held.id)
    .where('status', '=', 'active')
    .where('queue_job_id', '=', held.queueJobId)
    .where('queue_attempt', '<', held.attempt)
    .returningAll()
    .executeTakeFirst()
}

/** Whether the job is still active and this attempt's. */
export async function isHeld(queries: Queries, held: Held): Promise<boolean> {
  const row = await queries
    .selectFrom('agent_jobs')
    .select('id')
    .where('id', '=', held.id)
    .where('status', '=', 'active')
    .where('queue_job_id', '=', held.queueJobId)
    .where('queue_attempt', '=', held.attempt)
    .executeTakeFirst()
  return row !== undefined
}

/** Why a job ended, or its last attempt. */
export interface JobEnd {
  error: string
  code: JobErrorCode
}

const endColumns = ({ error, code }: JobEnd) => ({ error: storableText(error), error_code: code })

/** The job stays active, with the reason why the attempt ended until it comes to its end. */
export async function noteAttemptEnd(queries: Queries, held: Held, failure: JobEnd): Promise<void> {
  await queries
    .updateTable('agent_jobs')
    .set({ ...endColumns(failure), updated_at: sql`clock_timestamp()` })
    .where('id', '=', held.id)
    .where('status', '=', 'active')
    .where('queue_job_id', '=', held.queueJobId)
    .where('queue_attempt', '=', held.attempt)
    .execute()
}

/** Changes what this attempt holds. Throws RowLostError when it holds it no longer. */
export async function updateHeld(tx: Tx, held: Held, values: JobValues): Promise<JobRow> {
  const row = await tx
    .updateTable('agent_jobs')
    .set({ ...values, idle_attempts: 0, updated_at: sql`clock_timestamp()` })
    .where('id', '=', held.id)
    .where('status', '=', 'active')
    .where('queue_job_id', '=', held.queueJobId)
    .where('queue_attempt', '=', held.attempt)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) throw new RowLostError('the job was cancelled or taken over')
  return row
}

/** `active → completed`, with all that tells of it. */
export async function completeJob(tx: Tx, held: Held, values: JobValues): Promise<JobRow> {
  const row = await updateHeld(tx, held, { ...values, status: 'completed', error: null, error_code: null })
  await endPrompts(tx, row.id)
  await tellEnd(tx, row)
  await recordEnd(tx, row)
  return row
}

/**
 * `active → failed`, by whoever may: a worker with what it holds; a person `where` they may, whose call has its own row in
 * the audit log. Null when it was not active.
 */
export async function failJob(
  tx: Tx,
  job: { id: string } | Held,
  failure: JobEnd,
  where?: { organizationId: string; projectId: string },
): Promise<JobRow | null> {
  const row = await tx
    .updateTable('agent_jobs')
    .set({ status: 'failed', ...endColumns(failure), updated_at: sql`clock_timestamp()` })
    .where('id', '=', job.id)
    .where('status', '=', 'active')
    .$if('queueJobId' in job, (query) =>
      query
        .where('queue_job_id', '=', (job as Held).queueJobId)
        .where('queue_attempt', '=', (job as Held).attempt),
    )
    .$if(where !== undefined, (query) =>
      query
        .where('project_id', '=', where?.projectId ?? '')
        .where('organization_id', '=', where?.organizationId ?? ''),
    )
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return null
  await endPrompts(tx, row.id)
  await tellEnd(tx, row)
  if (where === undefined) await recordEnd(tx, row)
  return row
}

/** Numbers the events behind those that are there; the caller's transaction holds the job's row. */
export async function addEvents(tx: Tx, jobId: string, events: readonly AgentEvent[]): Promise<void> {
  if (events.length === 0) return
  const { event_count: count } = await tx
    .updateTable('agent_jobs')
    .set({ event_count: sql`event_count + ${events.length}` })
    .where('id', '=', jobId)
    .returning('event_count')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('agent_job_events')
    .values(
      events.map(({ type, data }, index) => ({
        job_id: jobId,
        number: count - events.length + index + 1,
        type,
        data: JSON.stringify(storable(data)),
      })),
    )
    .execute()
}

export function toAgentJob(row: JobRow): AgentJob {
  return {
    id: row.id,
    status: row.status,
    source: { repository: row.repository, ref: row.ref },
    model: row.model,
    prLink: row.status === 'active' ? null : row.pull_request_link,
    title: row.title,
    branch: row.branch,
    error: row.error,
    errorCode: row.error_code,
    filesChanged: row.files_changed,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
  }
}

export function jobEvent(row: JobRow): AgentEvent {
  return { type: 'job', data: toAgentJob(row) }
}

async function endPrompts(tx: Tx, jobId: string): Promise<void> {
  await tx
    .updateTable('agent_job_prompts')
    .set({ ended_at: sql`clock_timestamp()` })
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .execute()
}

async function recordEnd(tx: Tx, row: JobRow): Promise<void> {
  await recordAudit(tx, {
    organizationId: row.organization_id,
    actor: SYSTEM_ACTOR,
    action: row.status === 'completed' ? 'agent_job.completed' : 'agent_job.failed',
    subject: row.id,
    details: {
      projectId: row.project_id,
      ...(row.status === 'completed'
        ? { prLink: row.pull_request_link }
        : { error: row.error, errorCode: row.error_code }),
    },
  })
}

async function tellEnd(tx: Tx, row: JobRow): Promise<void> {
  await addEvents(tx, row.id, [jobEvent(row)])
  const { id, status, source, model, prLink, error, errorCode, createdAt, archivedAt } = toAgentJob(row)
  await recordEvent(tx, {
    type: status === 'completed' ? 'agent_job.completed' : 'agent_job.failed',
    organizationId: row.organization_id,
    data: {
      projectId: row.project_id,
      job: { id, status, source, model, prLink, error, errorCode, createdAt, archivedAt },
    },
  })
}
