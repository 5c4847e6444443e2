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
 * The transitions are those of queue/leased-rows.ts; workers are identified by queue job and attempt.
 */
import { type Selectable, sql, type UpdateObject } from 'kysely'
import type { Effort } from '../../base/api/form-choices.ts'
import { toStorable, toStorableText } from '../../base/text/storable.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { recordEvent } from '../../database/outbox.ts'
import type { AgentJobTable, JobBudget, OutsideText } from '../../database/schema/agent.ts'
import type { Schema } from '../../database/schema.ts'
import type { WorkFailure } from '../../database/warnings.ts'
import { PROJECT_SOURCE_COLUMNS, type ProjectSourceRow } from '../../git/project-source.ts'
import { RowLostError } from '../../queue/lease.ts'
import { createLeasedRows, type RowLease } from '../../queue/leased-rows.ts'
import { rowLeaseKey } from '../../queue/shared-lease.ts'
import { recordNotification } from '../notifications/record-notification.ts'
import type { AgentEvent, AgentJob } from './operations/agent.ts'
import { EXTERNAL_SERVICES } from './operations/external-services.ts'

export type JobRow = Selectable<AgentJobTable>

export type JobValues = UpdateObject<Schema, 'agent_jobs'>

/** Settings that an automation passes to the jobs it starts. */
export interface JobOrigin {
  automationId: string
  topic: string
  scope: readonly string[]
  budget: Partial<JobBudget>
  /** Null selects the project's model. */
  model: string | null
  externalTexts: readonly OutsideText[]
}

export interface NewJob {
  id: string
  organizationId: string
  projectId: string
  repository: string
  ref: string
  model: string
  effort: Effort | null
  /** Id of the API key, member or automation. */
  startedBy: string
  origin?: Pick<JobOrigin, 'automationId' | 'topic' | 'scope' | 'budget'> | null
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
      effort: job.effort,
      started_by: job.startedBy,
      ...(job.origin && originColumns(job.origin)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

function originColumns(origin: NonNullable<NewJob['origin']>) {
  const { automationId, topic, scope, budget } = origin
  return {
    automation_id: automationId,
    topic,
    scope: JSON.stringify(scope),
    budget: JSON.stringify(budget),
  }
}

export const jobRows = createLeasedRows('agent_jobs', {
  attempt: 'queue_attempt',
  open: ['active'],
  done: 'completed',
  claimed: () => ({}),
  actionsOf: () => ({ done: 'agent_job.completed', failed: 'agent_job.failed' }),
  resultOf: (row) => ({ prLink: row.pull_request_link }),
  reportEnd: notifyEnd,
})

export async function readSource(queries: Queries, projectId: string): Promise<ProjectSourceRow> {
  return await queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE_COLUMNS)
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
}

export interface JobRef {
  organizationId: string
  projectId: string
  id: string
}

export async function readJob(queries: Queries, id: string): Promise<JobRow> {
  return await queries.selectFrom('agent_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Returns the keys (`rowLeaseKey`) of the rows that are still held. */
export async function findLeased(queries: Queries, held: readonly RowLease[]): Promise<ReadonlySet<string>> {
  if (held.length === 0) return new Set()
  const rows = await queries
    .selectFrom('agent_jobs')
    .select(['id', 'queue_job_id', 'queue_attempt'])
    .where('id', 'in', [...new Set(held.map(({ id }) => id))])
    .where('status', '=', 'active')
    .execute()
  return new Set(
    rows.map(({ id, queue_job_id, queue_attempt }) =>
      rowLeaseKey({ id, queueJobId: queue_job_id ?? '', attempt: queue_attempt }),
    ),
  )
}

/** Counts an attempt at its start; saving progress resets the count. Throws RowLostError. */
export async function countAttempt(queries: Queries, held: RowLease): Promise<JobRow> {
  return requireHeld(await jobRows.update(queries, held, { idle_attempts: sql`idle_attempts + 1` }))
}

/** Records the error of the attempt, which is shown until the job ends. The job stays active. */
export async function recordAttemptEnd(
  queries: Queries,
  held: RowLease,
  failure: WorkFailure,
): Promise<void> {
  await jobRows.update(queries, held, { error: toStorableText(failure.error), error_code: failure.code })
}

/** Updates a row leased by this attempt. Throws RowLostError if the lease was lost. */
export async function updateLeased(tx: Tx, held: RowLease, values: JobValues): Promise<JobRow> {
  return requireHeld(await jobRows.update(tx, held, { ...values, idle_attempts: 0 }))
}

/** `active → completed`. Throws RowLostError. */
export async function completeJob(tx: Tx, held: RowLease): Promise<JobRow> {
  return requireHeld(await jobRows.complete(tx, held, { idle_attempts: 0 }))
}

function requireHeld<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new RowLostError('the job was cancelled or taken over')
  return row
}

/** Numbers the events consecutively; the caller's transaction has locked the job's row. */
export async function addEvents(tx: Tx, jobId: string, events: readonly AgentEvent[]): Promise<void> {
  if (events.length === 0) return
  const types = events.map(({ type }) => type)
  const data = events.map((event) => JSON.stringify(toStorable(event.data)))
  await sql`
      WITH counted AS (
        UPDATE agent_jobs SET event_count = event_count + ${events.length}::integer
          WHERE id = ${jobId} RETURNING event_count - ${events.length}::integer AS before)
      INSERT INTO agent_job_events (job_id, number, type, data)
        SELECT ${jobId}, counted.before + event.place, event.type, event.data::jsonb
          FROM counted, unnest(${types}::text[], ${data}::text[]) WITH ORDINALITY AS event (type, data, place)`.execute(
    tx,
  )
}

export function toAgentJob(row: JobRow): AgentJob {
  return {
    id: row.id,
    status: row.status,
    source: { repository: row.repository, ref: row.ref },
    model: row.model,
    effort: row.effort,
    prLink: row.status === 'active' ? null : row.pull_request_link,
    pullRequests: listRequests(row),
    question: row.status === 'active' ? row.question : null,
    title: row.request_title ?? row.title,
    branch: row.branch,
    error: row.error,
    errorCode: row.error_code,
    filesChanged: row.files_changed,
    unfinished: row.status === 'active' ? null : row.unfinished,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    archivedAt: row.archived_at?.toISOString() ?? null,
  }
}

/** Lists the oldest first; only the last pull request can still accept changes. */
function listRequests(row: JobRow): AgentJob['pullRequests'] {
  if (row.current_link === null || row.pull_request_state === null) return row.past_requests
  const now = { link: row.current_link, branch: row.branch ?? '', state: row.pull_request_state }
  return [...row.past_requests, now]
}

export function jobEvent(row: JobRow): AgentEvent {
  return { type: 'job', data: toAgentJob(row) }
}

export async function endPrompts(tx: Tx, jobId: string, which: 'all' | 'started' | number): Promise<void> {
  await tx
    .updateTable('agent_job_prompts')
    .set({ ended_at: sql`clock_timestamp()` })
    .where('job_id', '=', jobId)
    .where('ended_at', 'is', null)
    .$if(which === 'started', (query) => query.where('started_at', 'is not', null))
    .$if(typeof which === 'number', (query) => query.where('number', '=', Number(which)))
    .execute()
}

async function notifyEnd(tx: Tx, row: JobRow): Promise<void> {
  await endPrompts(tx, row.id, 'all')
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
  await notifyMembers(tx, row)
}

export async function notifyQuestion(tx: Tx, row: JobRow, question: string): Promise<void> {
  await addEvents(tx, row.id, [
    { type: 'waiting', data: { for: EXTERNAL_SERVICES.person, seconds: 0, question } },
    jobEvent(row),
  ])
  const name = row.request_title ?? row.title
  await recordNotification(tx, {
    kind: 'question_waiting',
    projectId: row.project_id,
    subject: row.id,
    owner: row.started_by,
    facts: { ...(name !== null && { name }), reason: question },
  })
}

/** Notifies members of a change to review and of a failure, but not of a cancelled or archived job. */
async function notifyMembers(tx: Tx, row: JobRow): Promise<void> {
  const { id: subject, project_id: projectId, started_by: owner } = row
  const name = row.request_title ?? row.title
  const notice = { projectId, subject, owner, facts: name === null ? {} : { name } }
  if (row.status === 'completed' && row.pull_request_state === 'open')
    await recordNotification(tx, { ...notice, kind: 'review_waiting' })
  if (row.status === 'failed' && row.error_code !== 'cancelled' && row.error_code !== 'archived')
    await recordNotification(tx, {
      ...notice,
      kind: 'job_failed',
      facts: { ...notice.facts, reason: row.error ?? '' },
    })
}
