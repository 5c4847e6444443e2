/** Counts open previews, and schedules reports of their new URLs after the preview domain has changed. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

/** Time for which nodes may still use the previous domain. */
const SETTLE_SECONDS = 10
/** Differs from the value of any regular report, see report-previews.ts. */
const MOVED_REPORT_KEY = 'moved'

export async function countOpenPreviews(db: Queries): Promise<number> {
  const { open } = await db
    .selectFrom('previews')
    .select(sql<number>`count(*)::integer`.as('open'))
    .where('removed_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirstOrThrow()
  return open
}

/** Schedules new reports to forges that have received a URL under the previous domain. */
export async function scheduleMovedReports(tx: Tx): Promise<void> {
  await tx
    .updateTable('previews')
    .set({
      told: MOVED_REPORT_KEY,
      tell_at: sql<Date>`least(tell_at, clock_timestamp() + make_interval(secs => ${SETTLE_SECONDS}))`,
    })
    .where('removed_at', 'is', null)
    .where('told', 'is not', null)
    .execute()
}
