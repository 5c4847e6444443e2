/**
 * Background jobs in PostgreSQL. A job only triggers work: state, progress and results are in the domain's own rows.
 *
 * One job, from the queue's side:
 *
 *     created ──fetch──▶ active ──handler returns──▶ completed
 *        │                 │ ├──handler throws, deadline passed, heartbeat missed──▶ retry ──fetch──▶ active
 *        │                 │ └──the same in the last attempt──▶ failed, and a copy to `exhausted`
 *        └──cancel─────────┴──cancel──▶ cancelled (the handler's signal is aborted within about 3 seconds)
 *
 * NOTE A worker that stalls (a suspended machine, a blocked event loop) loses its job to another one without noticing
 * until its next heartbeat. In the meantime, two handlers run the same job. Every handler therefore fences its
 * writes: it stores `attempt`, which increases with each claim of a job, in its own row when it begins, and later
 * changes that row only `WHERE attempt = <its own>`.
 */

import { fromKysely, PgBoss } from 'pg-boss'
import type { Log } from '../base/log.ts'
import { repeat } from '../base/repeat.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { installQueues, queueConnectionConfig } from './install-queues.ts'
import type { ActiveJob, JobHandlers, WorkOptions } from './job-handler.ts'
import type { JobName, Jobs } from './job-settings.ts'
import { groupOf, type JobOwner, QUEUE_SCHEMA, updateFairPriorities } from './job-table.ts'
import { LEASE_SECONDS } from './lease-times.ts'
import { delayRetry, startWorkers, type Workers } from './workers.ts'

export interface QueueOptions {
  /** Database of the server. The queue opens a few separate connections. */
  address: DatabaseAddress
  log: Log
  /** Called after each successful supervision of the queue. */
  onSupervised?: () => void
}

/** Kysely instance or transaction. */
export type QueueTransaction = Parameters<typeof fromKysely>[0]

/** Includes the owner of the job, because jobs alternate between organizations and projects. */
export interface EnqueueOptions extends JobOwner {
  /** Refuses the job while another one with the same name and key is queued or running. */
  singletonKey?: string
  startAfterSeconds?: number
}

export interface Queue {
  /** Adds a job in the caller's transaction. Returns null if a job with this `singletonKey` exists. */
  enqueue<Name extends JobName>(
    tx: QueueTransaction,
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions,
  ): Promise<string | null>
  /**
   * Cancels a job in the caller's transaction, and aborts it if it is running. Returns false if the job had ended.
   */
  cancel(tx: QueueTransaction, name: JobName, jobId: string): Promise<boolean>
  /**
   * Delays the next attempt of jobs whose worker crashed. The delay is longer after repeated crashes. Called by
   * the process that starts workers.
   */
  delayRetries(jobs: readonly ActiveJob[], seconds: number): Promise<void>
  /** Starts processing jobs. Must be called only once. */
  work(handlers: JobHandlers, options: WorkOptions): Promise<void>
  /**
   * Stops accepting jobs, waits for running ones during the grace period, then aborts them and gives them to
   * other servers without counting the attempt. Resolves when the handlers have ended (or shortly after the
   * abort) and all connections are closed.
   */
  stop(options: { graceSeconds: number }): Promise<void>
  /** Stops without a grace period. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Timeouts of the queue's connections. Without timeouts, the queue would wait forever for a server that disappeared
 * without closing the connection. Queries that time out are retried.
 */
const CONNECTION_TIMEOUTS = { connectionTimeoutMillis: 30_000, query_timeout: 60_000, keepAlive: true }

/** Suffix added by the library. Removed, because equal errors should have equal messages. */
const WORKER_SUFFIX = ' (Queue: '

/** Opens the queue and creates its schema if missing, even if several servers do so concurrently. */
export async function openQueue({ address, log, onSupervised }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...queueConnectionConfig(address),
    ...CONNECTION_TIMEOUTS,
    schema: QUEUE_SCHEMA,
    application_name: 'octavo-queue',
    max: 4,
    schedule: false,
    useListenNotify: true,
    supervise: false,
    monitorIntervalSeconds: LEASE_SECONDS.supervise,
  })
  boss.on('error', (error) => log.error({ error: error.message.split(WORKER_SUFFIX, 1)[0] }, 'queue.error'))
  boss.on('warning', (warning) => log.warn({ message: warning.message }, 'queue.warning'))
  await installQueues(boss, address)
  // Replaces the supervision of the library, which does not report successful runs.
  const supervising = repeat({
    everyMs: LEASE_SECONDS.supervise * 1000,
    work: () => boss.supervise(),
    onFailure: (error) => log.error({ error: error.message }, 'queue.error'),
    ...(onSupervised === undefined ? {} : { onRound: onSupervised }),
  })
  let workers: Workers | null = null
  let stopped: Promise<void> | null = null

  const stop = async (graceSeconds: number) => {
    await workers?.stop(graceSeconds)
    await Promise.all([supervising[Symbol.asyncDispose](), boss.stop({ graceful: false })])
  }

  const queue: Queue = {
    enqueue: (tx, name, payload, options) => enqueue(boss, tx, name, payload, options),
    async cancel(tx, name, jobId) {
      const answer = await boss.cancel(name, jobId, { db: fromKysely(tx) })
      return (answer as { affected?: number }).affected === 1
    },
    async delayRetries(jobs, seconds) {
      await Promise.all(jobs.map((job) => delayRetry(boss, job, seconds)))
    },
    async work(handlers, options) {
      if (workers !== null) throw new Error('this queue already has workers')
      workers = await startWorkers({ boss, log }, handlers, options)
    },
    stop({ graceSeconds }) {
      stopped ??= stop(graceSeconds)
      return stopped
    },
    [Symbol.asyncDispose]: () => queue.stop({ graceSeconds: 0 }),
  }
  return queue
}

async function enqueue<Name extends JobName>(
  boss: PgBoss,
  tx: QueueTransaction,
  name: Name,
  payload: Jobs[Name],
  options: EnqueueOptions,
): Promise<string | null> {
  const db = fromKysely(tx)
  // Keys are exclusive in these queues, so jobs without a key get a unique one.
  const id = await boss.send(name, payload, {
    db,
    group: groupOf(options),
    singletonKey: options.singletonKey ?? crypto.randomUUID(),
    ...(options.startAfterSeconds !== undefined && { startAfter: options.startAfterSeconds }),
  })
  await updateFairPriorities(db, name, options.organizationId)
  return id
}
