/**
 * All waiting is measured by the database's clock. If the clock is set back, anything due at a future time would be
 * delayed by that amount: leases of dead workers, retries, deliveries, polls. Each check stores the time; a clock
 * that is behind the stored time was set back, and all waiting times are moved by the difference.
 *
 * A clock that is set forward ends waits early, which costs running jobs an attempt. Only objects due for deletion
 * wait for time that was actually observed, because a running job may still use them.
 */
import { sql } from 'kysely'
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import { skipUnobservedTime } from '../../database/clock.ts'
import type { Database, Tx } from '../../database/database.ts'
import { QUEUE_SCHEMA } from '../../queue/install-queues.ts'

export interface FollowClockDeps {
  database: Database
  log: Log
  /** Called after each check. */
  onRound?: () => void
}

/** Polling interval, and therefore the maximum delay before a clock change is noticed. */
const POLL_INTERVAL_MS = 2000
/** Smaller steps are left to clock synchronization. */
const MIN_STEP_SECONDS = 1

const JOB = `${QUEUE_SCHEMA}.job`
const QUEUE = `${QUEUE_SCHEMA}.queue`
const VERSION = `${QUEUE_SCHEMA}.version`

/** Columns that hold a due time or a start time, optionally with a condition on the rows. */
const TIME_COLUMNS: readonly (readonly [table: string, column: string, rows?: string])[] = [
  [JOB, 'heartbeat_on', "state = 'active'"],
  [JOB, 'started_on', "state = 'active'"],
  [JOB, 'start_after', "state < 'active'"],
  [QUEUE, 'monitor_claim_on'],
  [QUEUE, 'monitor_on'],
  [QUEUE, 'maintain_on'],
  [VERSION, 'monitor_backoff_on'],
  [VERSION, 'reindex_on'],
  ['rate_hits', 'at'],
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
      const seconds = await correctSetBack(database)
      if (seconds > 0) log.warn({ seconds }, 'clock.set_back')
    },
    onFailure: (error) => log.warn({ error: error.message }, 'clock.look_failed'),
    ...(onRound === undefined ? {} : { onRound: onRound }),
  })
}

/** Returns the seconds by which the clock was set back since any node last checked it. */
export async function correctSetBack(database: Database): Promise<number> {
  return await database.transaction(async (tx) => {
    const seconds = await measureSetBack(tx)
    if (seconds < MIN_STEP_SECONDS) return 0
    for (const [table, column, rows = 'true'] of TIME_COLUMNS) {
      const name = sql.ref(column)
      await sql`UPDATE ${sql.table(table)} SET ${name} = ${name} - make_interval(secs => ${seconds})
        WHERE ${name} > clock_timestamp() AND ${sql.raw(rows)}`.execute(tx)
    }
    return seconds
  })
}

/** Checks the clock under a row lock, so that one node does it at a time. */
async function measureSetBack(tx: Tx): Promise<number> {
  await skipUnobservedTime(tx)
  const { rows } = await sql<{ seconds: number }>`
    SELECT extract(epoch FROM clock_set_back())::float8 AS seconds`.execute(tx)
  await sql`UPDATE clock SET seen = clock_timestamp()`.execute(tx)
  return rows[0]?.seconds ?? 0
}
