/**
 * Fair scheduling: jobs of one kind alternate between organizations and projects, however many one of them enqueues.
 */
import { QUEUE_SCHEMA } from './install-queues.ts'
import type { JobName } from './jobs.ts'

/** Owner of a job. In the queue's table, the organization is the group and the project is the tier within it. */
export interface JobOwner {
  organizationId: string
  projectId: string
}

export function groupOf({ organizationId, projectId }: JobOwner): { id: string; tier: string } {
  return { id: organizationId, tier: projectId }
}

/**
 * Sets the priorities of an organization's waiting jobs: the first of each project, then the second of each, older
 * before younger. Jobs with the same rank in different organizations alternate as well. Running jobs count as the
 * first of their projects. Rows locked by another transaction keep their priority, so that this never waits. The next
 * call corrects them, when a job is enqueued or ends.
 */
export async function updateFairPriorities(
  db: { executeSql(text: string, values: unknown[]): Promise<unknown> },
  name: JobName,
  organizationId: string,
): Promise<void> {
  const text = `
    WITH open AS (
      SELECT id, created_on, state < 'active' AS waits, row_number() OVER (
        PARTITION BY group_tier ORDER BY state < 'active', created_on, id) AS turn
      FROM ${QUEUE_SCHEMA}.job WHERE name = $1 AND group_id = $2 AND state <= 'active'
    ), placed AS (
      SELECT id, waits, 1 - row_number() OVER (ORDER BY turn, waits, created_on, id) AS place FROM open
    ), free AS (
      SELECT job.id, placed.place FROM placed
      JOIN ${QUEUE_SCHEMA}.job ON job.name = $1 AND job.id = placed.id AND job.priority <> placed.place
      WHERE placed.waits FOR UPDATE OF job SKIP LOCKED
    )
    UPDATE ${QUEUE_SCHEMA}.job SET priority = free.place FROM free WHERE job.name = $1 AND job.id = free.id`
  await db.executeSql(text, [name, organizationId])
}
