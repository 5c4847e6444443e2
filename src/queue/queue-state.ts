/** Numbers of waiting and running jobs for monitoring. One indexed read of the queue's own table. */
import { CompiledQuery } from 'kysely'
import type { Queries } from '../database/database.ts'
import { QUEUE_SCHEMA } from './install-queues.ts'
import { JOB_NAMES, type JobName } from './jobs.ts'

export interface QueueState {
  job: JobName
  /** Due jobs that have not started. Excludes those scheduled for later. */
  queued: number
  running: number
  /** Longest time that a queued job has been due; 0 when there is none. */
  oldestSeconds: number
}

/** Returns the number of jobs of the kind ahead of this one; null when it is running or has ended. */
export async function waitingBefore(queries: Queries, name: JobName, jobId: string): Promise<number | null> {
  const text = `
    SELECT (SELECT count(*)::int FROM ${QUEUE_SCHEMA}.job AS other
        WHERE other.name = $1 AND other.state < 'active'
          AND (other.priority > mine.priority
            OR other.priority = mine.priority AND (other.created_on, other.id) < (mine.created_on, mine.id))) AS before
    FROM ${QUEUE_SCHEMA}.job AS mine WHERE mine.name = $1 AND mine.id = $2 AND mine.state < 'active'`
  const { rows } = await queries.executeQuery<{ before: number }>(CompiledQuery.raw(text, [name, jobId]))
  return rows[0]?.before ?? null
}

/** Returns one row per kind of job, including kinds without jobs. */
export async function readQueueState(queries: Queries): Promise<QueueState[]> {
  const text = `
    SELECT name AS job,
      count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS queued,
      count(*) FILTER (WHERE state = 'active')::int AS running,
      coalesce(extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active' AND start_after <= now())), 0)::float8
        AS "oldestSeconds"
    FROM ${QUEUE_SCHEMA}.job WHERE state <= 'active' AND name = ANY ($1) GROUP BY name`
  const { rows } = await queries.executeQuery<QueueState>(CompiledQuery.raw(text, [JOB_NAMES]))
  const known = new Map(rows.map((row) => [row.job, row]))
  return JOB_NAMES.map((job) => known.get(job) ?? { job, queued: 0, running: 0, oldestSeconds: 0 })
}
