/** Operations on all previews: counting the open ones, and reporting new URLs after the domain changed. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

/** Nodes may use the previous domain for this long. */
const SETTLE_SECONDS = 10
/** Value that no regular report has, see report-previews.ts. */
const MOVED = 'moved'

export async function countOpenPreviews(db: Queries): Promise<number> {
  const { open } = await db
    .selectFrom('previews')
    .select(sql<number>`count(*)::integer`.as('open'))
    .where('removed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  return open
}

/** Schedules new reports to forges that were given a URL of the previous domain. */
export async function scheduleMovedReports(tx: Tx): Promise<void> {
  await tx
    .updateTable('previews')
    .set({
      told: MOVED,
      tell_at: sql<Date>`least(tell_at, clock_timestamp() + make_interval(secs => ${SETTLE_SECONDS}))`,
    })
    .where('removed_at', 'is', null)
    .where('told', 'is not', null)
    .execute()
}
