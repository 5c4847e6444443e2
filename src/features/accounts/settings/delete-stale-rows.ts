/** Deletes rows that have no effect: responses older than 24 hours, hits outside every rate limit window. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import { IDEMPOTENCY_HOURS } from '../../../routing/idempotency.ts'

/** `longestWindowSeconds` is the widest rate limit window in use. Returns the numbers of deleted rows. */
export async function deleteStaleRows(
  db: Queries,
  { longestWindowSeconds }: { longestWindowSeconds: number },
): Promise<{ answers: number; hits: number }> {
  const answers = await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<=', sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
    .executeTakeFirst()
  const hits = await db
    .deleteFrom('rate_hits')
    .where('at', '<=', sql<Date>`now() - make_interval(secs => ${longestWindowSeconds})`)
    .executeTakeFirst()
  return { answers: Number(answers.numDeletedRows), hits: Number(hits.numDeletedRows) }
}
