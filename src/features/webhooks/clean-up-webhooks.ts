/** Keeps the webhook tables small: fails expired deliveries, and deletes old deliveries and their events. */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'

/** Limited to keep locks short. */
const BATCH_ROWS = 10_000

export async function cleanUpWebhooks(
  queries: Queries,
  retention: Retention,
): Promise<{ dead: number; deliveries: number; events: number }> {
  const expired = await queries
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
    dead: Number(expired.numUpdatedRows),
    deliveries: await inBatches(() => deleteDeliveries(queries, retention)),
    events: await inBatches(() => deleteEvents(queries, retention)),
  }
}

async function inBatches(deleteSome: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await deleteSome()
    total += count
    if (count < BATCH_ROWS) return total
  }
}

async function deleteDeliveries(queries: Queries, retention: Retention): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM webhook_deliveries WHERE ctid = ANY(ARRAY(
      SELECT delivery.ctid FROM webhook_deliveries AS delivery
      JOIN webhook_endpoints AS endpoint ON endpoint.id = delivery.endpoint_id
      JOIN organizations AS organization ON organization.id = endpoint.organization_id
      WHERE delivery.ended_at IS NOT NULL AND ${isPastRetention('deliveries', retention, sql`delivery.ended_at`)}
      LIMIT ${BATCH_ROWS} FOR UPDATE OF delivery SKIP LOCKED))`.execute(queries)
  return Number(numAffectedRows ?? 0)
}

async function deleteEvents(queries: Queries, retention: Retention): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM webhook_events WHERE ctid = ANY(ARRAY(
      SELECT event.ctid FROM webhook_events AS event
      JOIN organizations AS organization ON organization.id = event.organization_id
      WHERE ${isPastRetention('events', retention, sql`event.created_at`)} AND event.is_spread
        AND NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE event_id = event.id)
      LIMIT ${BATCH_ROWS} FOR UPDATE OF event SKIP LOCKED))`.execute(queries)
  return Number(numAffectedRows ?? 0)
}
