/**
 * Tracks when the database's clock was last read (src/app/live/follow-clock.ts reads it every two seconds). A gap
 * means that no server was running, or that no time passed at all because the clock was set forward.
 */
import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Longest time between two readings that counts as observed. A longer gap is ignored. */
const MAX_OBSERVATION_GAP_SECONDS = 60

/** Seconds since the last reading if the gap is too long to count, else 0 (the usual case). */
const unobservedSeconds = sql<number>`(
  SELECT CASE WHEN passed > ${sql.lit(MAX_OBSERVATION_GAP_SECONDS)} THEN passed ELSE 0 END
  FROM (SELECT extract(epoch FROM clock_timestamp() - seen)::float8 AS passed FROM clock) AS since_look)`

/** Returns the time `seconds` ago, counting only time during which a server was running. */
export function observedTimeAgo(seconds: number) {
  return sql<Date>`clock_timestamp() - make_interval(secs => ${seconds} + ${unobservedSeconds})`
}

/**
 * Records a reading of the clock. An unobserved gap does not count as waiting time: the deadlines of objects and
 * deleted projects are moved by the gap, or by the part of it after their deletion. The lock on the row serializes
 * callers. A clock that was set back is left to follow-clock.ts.
 */
export async function skipUnobservedTime(tx: Tx): Promise<void> {
  await sql`SELECT seen FROM clock FOR UPDATE`.execute(tx)
  const { rows } = await sql<{ seconds: number }>`SELECT ${unobservedSeconds} AS seconds`.execute(tx)
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
