/**
 * Background jobs in PostgreSQL. A job is only the wake-up: state, progress and results stand in the domain's own rows.
 *
 * One job, from the queue's side:
 *
 *     created ──fetch──▶ active ──handler returns──▶ completed
 *        │                 │ ├──handler throws, deadline passed, heartbeat missed──▶ retry ──fetch──▶ active
 *        │                 │ └──the same in the last attempt──▶ failed, and a copy to `exhausted`
 *        └──cancel─────────┴──cancel──▶ cancelled (the handler's signal is aborted within about 3 seconds)
 *
 * NOTE A worker that stalls (a suspended machine, a blocked event loop) loses its job to another one and does not know
 * it until its next heartbeat: for that while, two handlers run the same job. So every handler fences its writes: it
 * stores `attempt`, which rises with each claim of a job, in its own row when it begins, and changes that row later only
 * `WHERE attempt = <its own>`.
 */

import { fromKysely, PgBoss } from 'pg-boss'
import type { Log } from '../base/log.ts'
import { repeat } from '../base/repeat.ts'
import type { DatabaseAddress } from '../database/database.ts'
import { addressConfig, installQueues, QUEUE_SCHEMA } from './install-queues.ts'
import type { HeldJob, JobHandlers, WorkOptions } from './job-handler.ts'
import type { JobName, Jobs } from './jobs.ts'
import { LEASE_SECONDS } from './lease-times.ts'
import { groupOf, type JobOwner, takeTurns } from './take-turns.ts'
import { delayRetry, startWorkers, type Workers } from './workers.ts'

export interface QueueOptions {
  /** The database of everything else; the queue keeps a few connections of its own. */
  address: DatabaseAddress
  log: Log
  /** After each round of supervision that came through. */
  onSupervised?: () => void
}

/** A kysely instance or transaction. */
export type QueueTransaction = Parameters<typeof fromKysely>[0]

/** Jobs of one kind take turns by organization and project. */
export interface EnqueueOptions extends JobOwner {
  /** While a job of this name and key is queued or running, another one is not taken. */
  singletonKey?: string
  startAfterSeconds?: number
}

export interface Queue {
  /** In the caller's transaction: the job exists when that commits. Null when `singletonKey` is taken. */
  enqueue<Name extends JobName>(
    tx: QueueTransaction,
    name: Name,
    payload: Jobs[Name],
    options: EnqueueOptions,
  ): Promise<string | null>
  /** In the caller's transaction. A queued job never starts; a running one is aborted. False when it had ended. */
  cancel(tx: QueueTransaction, name: JobName, jobId: string): Promise<boolean>
  /** For who watches a worker that these jobs have taken with them: each waits for its next attempt, longer every time. */
  delayRetries(jobs: readonly HeldJob[], seconds: number): Promise<void>
  /** Starts to take jobs; once in the life of a queue. */
  work(handlers: JobHandlers, options: WorkOptions): Promise<void>
  /**
   * Takes no more jobs, lets the running ones go on for the grace, then aborts them and hands them on at once, without
   * counting the attempt. Resolves when the handlers have ended (or a moment after the abort) and all is closed.
   */
  stop(options: { graceSeconds: number }): Promise<void>
  /** Stops without grace. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * With a database that stands still. Nobody waits for these connections but the queue itself, which asks again; without
 * a bound one whose server is gone without a word would be waited on for ever.
 */
const PATIENCE = { connectionTimeoutMillis: 30_000, query_timeout: 60_000, keepAlive: true }

/** Added by the library; with it no two failures would be the same. */
const WORKER_NOTE = / \(Queue: .*\)$/

/** Makes the queue's schema when it is missing; several servers may do so at once. */
export async function openQueue({ address, log, onSupervised }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    ...addressConfig(address),
    ...PATIENCE,
    schema: QUEUE_SCHEMA,
    application_name: 'octavo-queue',
    max: 4,
    schedule: false,
    useListenNotify: true,
    supervise: false,
    monitorIntervalSeconds: LEASE_SECONDS.supervise,
  })
  boss.on('error', (error) => log.error({ error: error.message.replace(WORKER_NOTE, '') }, 'queue.error'))
  boss.on('warning', (warning) => log.warn({ message: warning.message }, 'queue.warning'))
  await installQueues(boss, address)
  // The library's own rounds do not tell when they came through.
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
      if (workers !== null) throw new Error('this queue works already')
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
  // The queues are exclusive by key: without one of its own, a job must not meet another.
  const id = await boss.send(name, payload, {
    db,
    group: groupOf(options),
    singletonKey: options.singletonKey ?? crypto.randomUUID(),
    ...(options.startAfterSeconds !== undefined && { startAfter: options.startAfterSeconds }),
  })
  await takeTurns(db, name, options.organizationId)
  return id
}
