/**
 * Tells the queue for all jobs of a process at once that they are at work, with one statement: the library's own beat is
 * one for each job. Whoever has lost its job (cancelled, or taken over) hears of it at the next beat.
 */
import type { PgBoss } from 'pg-boss'
import type { Log } from '../base/log.ts'
import { repeat } from '../base/repeat.ts'
import { QUEUE_SCHEMA } from './install-queues.ts'
import type { HeldJob } from './job-handler.ts'
import { LEASE_SECONDS } from './lease-times.ts'

export interface BeatingJob extends HeldJob {
  abort: AbortController
}

/** Seconds, longer than any job may take: keeps the library from beating as well. */
export const NO_BEAT_SECONDS = 1_000_000

/** Beats for whatever `running` holds, until it is disposed. A beat that fails says nothing about the jobs. */
export function startBeat(
  { boss, log }: { boss: PgBoss; log: Log },
  running: ReadonlySet<BeatingJob>,
): AsyncDisposable {
  return repeat({
    everyMs: LEASE_SECONDS.refresh * 1000,
    work: async () => {
      const jobs = [...running]
      const held = jobs.length === 0 ? new Set() : await beat(boss, jobs)
      for (const job of jobs)
        if (!held.has(job.id)) job.abort.abort(new Error('the job was cancelled or taken over'))
    },
    onFailure: (error) => log.error({ error: error.message }, 'queue.error'),
  })
}

/** Answers which of these attempts still have their job. */
async function beat(boss: PgBoss, jobs: readonly HeldJob[]): Promise<ReadonlySet<unknown>> {
  const { rows } = await boss.getDb().executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET heartbeat_on = ${QUEUE_SCHEMA}.job_now()
       FROM unnest($1::text[], $2::uuid[], $3::integer[]) AS held (name, id, retry_count)
      WHERE job.name = held.name AND job.id = held.id AND job.retry_count = held.retry_count AND job.state = 'active'
      RETURNING job.id`,
    [jobs.map(({ name }) => name), jobs.map(({ id }) => id), jobs.map(({ retryCount }) => retryCount)],
  )
  return new Set(rows.map(({ id }: { id: string }) => id))
}
