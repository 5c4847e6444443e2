/**
 * Deletes notifications when their retention, counted from their newest event, has passed. Deletes events after
 * the same retention, which is longer than the period in which any check looks for earlier events.
 */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'

/** Limited to keep locks short. */
const BATCH_ROWS = 10_000

export async function retireNotifications(queries: Queries, retention: Retention): Promise<void> {
  await inBatches(() =>
    sql`
      DELETE FROM notifications WHERE ctid = ANY(ARRAY(
        SELECT line.ctid FROM notifications AS line
        JOIN organizations AS organization ON organization.id = line.organization_id
        WHERE ${isPastRetention('notifications', retention, sql`line.updated_at`)}
        LIMIT ${BATCH_ROWS} FOR UPDATE OF line SKIP LOCKED))`.execute(queries),
  )
  await inBatches(() =>
    sql`
      DELETE FROM notification_events WHERE ctid = ANY(ARRAY(
        SELECT event.ctid FROM notification_events AS event
        JOIN organizations AS organization ON organization.id = event.organization_id
        WHERE event.is_spread AND ${isPastRetention('notifications', retention, sql`event.created_at`)}
        LIMIT ${BATCH_ROWS} FOR UPDATE OF event SKIP LOCKED))`.execute(queries),
  )
}

async function inBatches(deleteSome: () => Promise<{ numAffectedRows?: bigint }>): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await deleteSome()
    if (numAffectedRows < BigInt(BATCH_ROWS)) return
  }
}
