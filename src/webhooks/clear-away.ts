/** Keeps the tables small: gives up what is too late, and forgets what has long been over. */
import { sql } from 'kysely'
import type { Queries } from '../database/database.ts'

/** Deliveries are kept for so long after their end, delivered and dead ones alike. */
const KEPT_DAYS = 30

/** Rows that one statement deletes: none of them holds its locks for long. */
const BATCH_ROWS = 10_000

/** Returns the numbers of rows. */
export async function clearWebhooks(
  queries: Queries,
): Promise<{ dead: number; deliveries: number; events: number }> {
  const given = await queries
    .updateTable('webhook_deliveries')
    .set({
      status: 'dead',
      next_attempt_at: null,
      ended_at: sql<Date>`clock_timestamp()`,
      error: sql<string>`coalesce(error, 'There was no try in time: the receiver was taken to be down.')`,
    })
    .where('status', '=', 'pending')
    .where('give_up_at', '<', sql<Date>`now()`)
    .executeTakeFirst()
  return {
    dead: Number(given.numUpdatedRows),
    deliveries: await inBatches(() => deleteDeliveries(queries)),
    events: await inBatches(() => deleteEvents(queries)),
  }
}

async function inBatches(deleteSome: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await deleteSome()
    total += count
    if (count < BATCH_ROWS) return total
  }
}

async function deleteDeliveries(queries: Queries): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM webhook_deliveries
      WHERE ended_at < now() - make_interval(days => ${KEPT_DAYS})
      LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED))`.execute(queries)
  return Number(numAffectedRows ?? 0)
}

/** Those that nobody took go after the same time as those that were delivered. */
async function deleteEvents(queries: Queries): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM webhook_events WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM webhook_events AS event
      WHERE created_at < now() - make_interval(days => ${KEPT_DAYS}) AND is_spread
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = event.id)
      LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED))`.execute(queries)
  return Number(numAffectedRows ?? 0)
}
