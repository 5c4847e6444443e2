/**
 * Retention of agent jobs: inactive jobs are archived, and archived ones lose their conversation, events, working
 * copy and rendered pages. The job itself, its prompts and its pull request stay.
 */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import { recordAudit, SYSTEM_ACTOR } from '../../database/audit.ts'
import type { Database, Queries, Tx } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'
import { archiveAgentJob } from './steer-job.ts'
import { jobRows } from './store.ts'

const BATCH = 100
/** Days that the agent waits for the answer to a question. */
const ANSWER_DAYS = 14
const UNANSWERED = {
  error: `The agent's question was not answered within ${ANSWER_DAYS} days.`,
  code: 'question_unanswered',
} as const

interface InactiveJob {
  id: string
  organization_id: string
  project_id: string
}

export async function retireAgentWork(
  database: Database,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  const steps = [failUnansweredJobs, archiveInactiveJobs, purgeArchivedJobs]
  for (const step of steps) {
    let done = BATCH
    while (done === BATCH) {
      signal.throwIfAborted()
      done = await step(database, retention)
    }
  }
}

/** `active → failed` for questions without an answer. */
async function failUnansweredJobs(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM agent_jobs
      WHERE status = 'active' AND question IS NOT NULL AND updated_at < now() - make_interval(days => ${ANSWER_DAYS})
      ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`.execute(tx)
    for (const { id } of rows) await jobRows.fail(tx, { id }, UNANSWERED)
    return rows.length
  })
}

/** `completed | failed → archived`. Skips jobs whose pull request is still open. */
async function archiveInactiveJobs(database: Database, retention: Retention): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await sql<InactiveJob>`
      SELECT job.id, job.organization_id, job.project_id
      FROM agent_jobs AS job JOIN organizations AS organization ON organization.id = job.organization_id
      WHERE job.status IN ('completed', 'failed') AND job.pull_request_state IS DISTINCT FROM 'open'
        AND ${isPastRetention('agentWork', retention, sql`job.updated_at`)}
      ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job SKIP LOCKED`.execute(tx)
    for (const job of rows) await archive(tx, job)
    return rows.length
  })
}

async function archive(tx: Tx, { id, organization_id, project_id }: InactiveJob): Promise<void> {
  await archiveAgentJob(tx, { organizationId: organization_id, projectId: project_id, id })
  await recordAudit(tx, {
    organizationId: organization_id,
    actor: SYSTEM_ACTOR,
    action: 'agent_job.archived',
    subject: id,
    details: { projectId: project_id },
  })
}

async function purgeArchivedJobs(database: Database, retention: Retention): Promise<number> {
  return database.transaction(async (tx) => {
    const ids = await findOldArchived(tx, retention)
    if (ids.length === 0) return 0
    for (const table of [
      'agent_job_messages',
      'agent_job_changes',
      'agent_job_events',
      'agent_job_comments',
    ] as const)
      await tx.deleteFrom(table).where('job_id', 'in', ids).execute()
    await tx
      .updateTable('agent_jobs')
      .set({ before_manifest: null, after_manifest: null })
      .where('id', 'in', ids)
      .execute()
    return ids.length
  })
}

async function findOldArchived(queries: Queries, retention: Retention): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT job.id FROM agent_jobs AS job JOIN organizations AS organization ON organization.id = job.organization_id
    WHERE job.status = 'archived' AND ${isPastRetention('agentWork', retention, sql`job.updated_at`)}
      AND (job.before_manifest IS NOT NULL OR job.after_manifest IS NOT NULL
        OR EXISTS (SELECT FROM agent_job_messages WHERE job_id = job.id)
        OR EXISTS (SELECT FROM agent_job_changes WHERE job_id = job.id)
        OR EXISTS (SELECT FROM agent_job_events WHERE job_id = job.id)
        OR EXISTS (SELECT FROM agent_job_comments WHERE job_id = job.id))
    ORDER BY job.id LIMIT ${BATCH} FOR UPDATE OF job SKIP LOCKED`.execute(queries)
  return rows.map(({ id }) => id)
}
