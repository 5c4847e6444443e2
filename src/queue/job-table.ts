/**
 * Queries on the tables of the queue library, for tasks that its API does not support: queue state, fair priorities,
 * and attempts and delays of single jobs. Check this file against each new version of the library.
 */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../database/database.ts'
import type { ActiveJob } from './job-handler.ts'
import { JOB_NAMES, type JobName } from './job-settings.ts'

export const QUEUE_SCHEMA = 'pgboss'
const JOB = `${QUEUE_SCHEMA}.job`

/** Columns whose times are adjusted when the clock is set back, with a condition that selects the rows. */
export const QUEUE_TIMES: readonly (readonly [table: string, column: string, rows?: string])[] = [
  [JOB, 'heartbeat_on', "state = 'active'"],
  [JOB, 'started_on', "state = 'active'"],
  [JOB, 'start_after', "state < 'active'"],
  [`${QUEUE_SCHEMA}.queue`, 'monitor_claim_on'],
  [`${QUEUE_SCHEMA}.queue`, 'monitor_on'],
  [`${QUEUE_SCHEMA}.queue`, 'maintain_on'],
  [`${QUEUE_SCHEMA}.version`, 'monitor_backoff_on'],
  [`${QUEUE_SCHEMA}.version`, 'reindex_on'],
]

/** Connection of the library, or a transaction. */
interface Statements {
  executeSql(text: string, values: unknown[]): Promise<unknown>
}

export interface QueueState {
  job: JobName
  /** Due jobs that have not started. Excludes jobs scheduled for later. */
  queued: number
  running: number
  /** Time since the oldest queued job became due; 0 if there is none. */
  oldestSeconds: number
}

/** Returns the number of jobs of this name that run earlier; null if the job has started or ended. */
export async function countJobsAhead(queries: Queries, name: JobName, jobId: string): Promise<number | null> {
  const text = `
    SELECT (SELECT count(*)::int FROM ${JOB} AS other
        WHERE other.name = $1 AND other.state < 'active'
          AND (other.priority > mine.priority
            OR other.priority = mine.priority AND (other.created_on, other.id) < (mine.created_on, mine.id))) AS before
    FROM ${JOB} AS mine WHERE mine.name = $1 AND mine.id = $2 AND mine.state < 'active'`
  const { rows } = await queries.executeQuery<{ before: number }>(CompiledQuery.raw(text, [name, jobId]))
  return rows[0]?.before ?? null
}

/** Returns one row per job name, including names without jobs. */
export async function readQueueState(queries: Queries): Promise<QueueState[]> {
  const text = `
    SELECT name AS job,
      count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS queued,
      count(*) FILTER (WHERE state = 'active')::int AS running,
      coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active' AND start_after <= now())), 0)::float8
        AS "oldestSeconds"
    FROM ${JOB} WHERE state <= 'active' AND name = ANY ($1) GROUP BY name`
  const { rows } = await queries.executeQuery<QueueState>(CompiledQuery.raw(text, [JOB_NAMES]))
  const known = new Map(rows.map((row) => [row.job, row]))
  return JOB_NAMES.map((job) => known.get(job) ?? { job, queued: 0, running: 0, oldestSeconds: 0 })
}

/** Owner of a job. The library's group is the organization, and the tier within the group is the project. */
export interface JobOwner {
  organizationId: string
  projectId: string
}

export function groupOf({ organizationId, projectId }: JobOwner): { id: string; tier: string } {
  return { id: organizationId, tier: projectId }
}

/**
 * Schedules fairly: jobs of one name alternate between organizations and projects, however many jobs one of
 * them enqueues.
 *
 * Sets the priorities of an organization's waiting jobs: first the oldest of each project, then the second of
 * each. Jobs of different organizations with the same rank alternate as well. Running jobs count as the first
 * of their projects. Rows locked by another transaction are skipped to avoid waiting, and corrected by the
 * next call, when a job is enqueued or ends.
 */
export async function updateFairPriorities(
  db: Statements,
  name: JobName,
  organizationId: string,
): Promise<void> {
  const text = `
    WITH open AS (
      SELECT id, created_on, state < 'active' AS waits, row_number() OVER (
        PARTITION BY group_tier ORDER BY state < 'active', created_on, id) AS turn
      FROM ${JOB} WHERE name = $1 AND group_id = $2 AND state <= 'active'
    ), placed AS (
      SELECT id, waits, 1 - row_number() OVER (ORDER BY turn, waits, created_on, id) AS place FROM open
    ), free AS (
      SELECT job.id, placed.place FROM placed
      JOIN ${JOB} ON job.name = $1 AND job.id = placed.id AND job.priority <> placed.place
      WHERE placed.waits FOR UPDATE OF job SKIP LOCKED
    )
    UPDATE ${JOB} SET priority = free.place FROM free WHERE job.name = $1 AND job.id = free.id`
  await db.executeSql(text, [name, organizationId])
}

type ActiveJobRow = Pick<ActiveJob, 'name' | 'id' | 'retryCount'>

/** Allows another attempt by raising the limit. Reusing the number would break the uniqueness of attempt numbers. */
export async function addAttempt(db: Statements, { name, id, retryCount }: ActiveJobRow): Promise<void> {
  await db.executeSql(
    `UPDATE ${JOB} SET retry_limit = retry_limit + 1
      WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`,
    [name, id, retryCount],
  )
}

/** Sets the delay of the next attempt, even if the lease has already expired because the worker stalled. */
export async function setRetryDelay(
  db: Statements,
  { name, id, retryCount }: ActiveJobRow,
  seconds: number,
): Promise<void> {
  await db.executeSql(
    `UPDATE ${JOB} SET retry_delay = $4::integer, retry_backoff = false,
        start_after = CASE WHEN state = 'retry' THEN now() + make_interval(secs => $4::integer) ELSE start_after END
      WHERE name = $1 AND id = $2 AND retry_count = $3 AND state IN ('active', 'retry')`,
    [name, id, retryCount, seconds],
  )
}
