/** Jobs of one kind whose groups take turns, however many of one group come at once. */
import { CompiledQuery } from 'kysely'
import type { Tx } from '../database/database.ts'
import { QUEUE_SCHEMA } from './install-queues.ts'
import type { JobName } from './jobs.ts'

/**
 * Sets the priorities of those of the jobs that wait: the first of each group, then the second of each, the older before
 * the younger. Those at work count as the first of their groups; those that are over do not count. A row that another
 * transaction has locked keeps its priority, so that nobody waits here: the next call puts it right.
 */
export async function takeTurns(
  tx: Tx,
  name: JobName,
  jobs: readonly { id: string; group: string }[],
): Promise<void> {
  const text = `
    WITH open AS (
      SELECT job.id, job.created_on, job.state < 'active' AS waits, row_number() OVER (
        PARTITION BY given.of_group ORDER BY job.state < 'active', job.created_on, job.id) AS turn
      FROM unnest($2::uuid[], $3::text[]) AS given (id, of_group)
      JOIN ${QUEUE_SCHEMA}.job ON job.name = $1 AND job.id = given.id AND job.state <= 'active'
    ), placed AS (
      SELECT id, waits, 1 - row_number() OVER (ORDER BY turn, waits, created_on, id) AS place FROM open
    ), free AS (
      SELECT job.id, placed.place FROM placed
      JOIN ${QUEUE_SCHEMA}.job ON job.name = $1 AND job.id = placed.id AND job.priority <> placed.place
      WHERE placed.waits FOR UPDATE OF job SKIP LOCKED
    )
    UPDATE ${QUEUE_SCHEMA}.job SET priority = free.place FROM free WHERE job.name = $1 AND job.id = free.id`
  const values = [name, jobs.map(({ id }) => id), jobs.map(({ group }) => group)]
  await tx.executeQuery(CompiledQuery.raw(text, values))
}
