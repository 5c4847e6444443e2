/**
 * Deletes mails some time after they were sent or dropped. Until then, they are stored without their links, so
 * that operators can read the errors.
 */
import { sql } from 'kysely'
import type { Retention } from '../../../base/api/retention.ts'
import type { Queries } from '../../../database/database.ts'

/** Limited to keep locks short. */
const BATCH_ROWS = 10_000

export async function retireMails(queries: Queries, { mails: days }: Retention): Promise<void> {
  if (days === 0) return
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM mails WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM mails
        WHERE status <> 'waiting' AND ended_at <= now() - make_interval(days => ${days})
        LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED))`.execute(queries)
    if (numAffectedRows < BigInt(BATCH_ROWS)) return
  }
}
