/**
 * The last look at the database's clock (src/app/live/follow-clock.ts looks every two seconds). A time in which nobody has
 * looked is one in which no server ran, or none at all: the clock was set forward.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Between two looks; more is no time that anybody has seen pass. */
const UNSEEN_SECONDS = 60

/** Seconds in which nobody has looked at the clock; 0 as a rule. */
const unseen = sql<number>`(
  SELECT CASE WHEN passed > ${sql.lit(UNSEEN_SECONDS)} THEN passed ELSE 0 END
  FROM (SELECT extract(epoch FROM clock_timestamp() - seen)::float8 AS passed FROM clock) AS since_look)`

/** So many seconds ago, of those that somebody has seen pass. */
export function longAgo(seconds: number) {
  return sql<Date>`clock_timestamp() - make_interval(secs => ${seconds} + ${unseen})`
}

/**
 * Looks: objects and deleted projects have not waited for their end while nobody did, from their deletion on. The lock on
 * the row makes it one at a time. A clock that was set back is left to whoever follows it.
 */
export async function leaveOutUnseen(tx: Tx): Promise<void> {
  await sql`SELECT seen FROM clock FOR UPDATE`.execute(tx)
  const { rows } = await sql<{ seconds: number }>`SELECT ${unseen} AS seconds`.execute(tx)
  const seconds = rows[0]?.seconds ?? 0
  if (seconds > 0)
    await sql`UPDATE condemned_objects
      SET since = least(since + make_interval(secs => ${seconds}), clock_timestamp())`.execute(tx)
  if (seconds > 0)
    await sql`UPDATE all_projects
      SET purge_at = purge_at + least(make_interval(secs => ${seconds}), clock_timestamp() - deleted_at)
      WHERE purge_at IS NOT NULL AND NOT is_purged`.execute(tx)
  await sql`UPDATE clock SET seen = clock_timestamp() WHERE seen < clock_timestamp()`.execute(tx)
}
