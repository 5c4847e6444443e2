/** Jobs of one kind whose organizations and projects take turns, however many of one come at once. */
import { QUEUE_SCHEMA } from './install-queues.ts'
import type { JobName } from './jobs.ts'

/** Whose job it is. In the queue's own table the organization is its group, the project the tier of that. */
export interface JobOwner {
  organizationId: string
  projectId: string
}

export function groupOf({ organizationId, projectId }: JobOwner): { id: string; tier: string } {
  return { id: organizationId, tier: projectId }
}

/**
 * Sets the priorities of the jobs of an organization that wait: the first of each project, then the second of each, the
 * older before the younger; so what stands at the same place in different organizations takes turns as well. Those at work
 * count as the first of their projects. A row that another transaction has locked keeps its priority, so that nobody waits
 * here: the next call puts it right, which comes when a job begins to wait or ends.
 */
export async function takeTurns(
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
