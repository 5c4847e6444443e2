/**
 * Delays are measured with the database's clock. If the clock is set back, anything due at a future time
 * would be delayed by that amount: leases of dead workers, retries, deliveries, polls. Each check stores the
 * time. A clock that is behind the stored time was set back, and all due times are moved by the difference.
 *
 * A clock that is set forward ends delays early, which costs running jobs an attempt. Only objects due for
 * deletion wait for time that was actually observed, because a running job may still use them.
 */
import { sql } from 'kysely'
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import { skipUnobservedTime } from '../../database/clock.ts'
import type { Database, Queries, Tx } from '../../database/database.ts'
import { QUEUE_TIMES } from '../../queue/job-table.ts'

export interface FollowClockDeps {
  database: Database
  log: Log
  onRound?: () => void
}

/** Polling interval, and therefore the maximum delay before a clock change is noticed. */
const POLL_INTERVAL_MS = 2000
/**
 * Time during which a check by any node is sufficient. Shorter than the interval, so that a node's previous check
 * expires before its next one.
 */
const RECHECK_SECONDS = 1.5
/** Smaller steps are corrections by clock synchronization. */
const MIN_STEP_SECONDS = 1

/** Earliest time to which a hit may be moved. Preserves the order of hits in a bucket, as running totals require. */
const PREVIOUS_HIT_TIME =
  '(SELECT max(at) FROM rate_hits AS before WHERE before.bucket = rate_hits.bucket AND at <= clock_timestamp())'

/** Columns with a due time or a start time, optionally with a condition on the rows and an earliest time. */
const TIME_COLUMNS: readonly (readonly [table: string, column: string, rows?: string, min?: string])[] = [
  ...QUEUE_TIMES,
  ['rate_hits', 'at', 'true', PREVIOUS_HIT_TIME],
  ['webhook_deliveries', 'next_attempt_at', "status = 'pending'"],
  ['webhook_endpoints', 'resting_until'],
  ['agent_jobs', 'look_at'],
  ['project_domains', 'check_at'],
  ['automations', 'look_at', 'paused_at IS NULL'],
  ['mails', 'due_at', "status = 'waiting'"],
  ['previews', 'tell_at', "tell_at < 'infinity'"],
]

export function startFollowingClock({ database, log, onRound }: FollowClockDeps): AsyncDisposable {
  return repeat({
    everyMs: POLL_INTERVAL_MS,
    async work() {
      const seconds = await correctClockSetBack(database)
      if (seconds > 0) log.warn({ seconds }, 'clock.set_back')
    },
    onFailure: (error) => log.warn({ error: error.message }, 'clock.look_failed'),
    ...(onRound === undefined ? {} : { onRound: onRound }),
  })
}

/**
 * Returns the seconds by which the clock was set back since any node last checked it. One node checks at a
 * time; the others only read the time of the last check, so the number of nodes does not matter.
 */
export async function correctClockSetBack(database: Database): Promise<number> {
  if (await wasCheckedRecently(database.queries)) return 0
  return await database.transaction(async (tx) => {
    const seconds = await measureSetBack(tx)
    if (seconds < MIN_STEP_SECONDS) return 0
    for (const [table, column, rows = 'true', min = 'NULL'] of TIME_COLUMNS) {
      const name = sql.ref(column)
      await sql`UPDATE ${sql.table(table)}
        SET ${name} = greatest(${name} - make_interval(secs => ${seconds}), ${sql.raw(min)})
        WHERE ${name} > clock_timestamp() AND ${sql.raw(rows)}`.execute(tx)
    }
    return seconds
  })
}

async function wasCheckedRecently(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ is_recent: boolean }>`
    SELECT clock_timestamp() - seen BETWEEN interval '0' AND make_interval(secs => ${RECHECK_SECONDS}) AS is_recent
    FROM clock`.execute(queries)
  return rows[0]?.is_recent === true
}

async function measureSetBack(tx: Tx): Promise<number> {
  await skipUnobservedTime(tx)
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM clock_set_back())::float8 AS seconds`.execute(tx)
  await sql`UPDATE clock SET seen = clock_timestamp()`.execute(tx)
  return rows[0]?.seconds ?? 0
}
