/** Shared setup of the queue tests: a queue with its database, and handlers that record their attempts. */
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { TestContext } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import type { ExhaustedJob } from '../../src/queue/exhausted-job.ts'
import type { JobContext } from '../../src/queue/job-handler.ts'
import { openQueue, type Queue } from '../../src/queue/queue.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { NO_WORK } from './no-work.ts'
import type { WorkerMessage } from './worker-process.ts'

export interface Attempt extends JobContext {
  exportId: string
  end(): void
  fail(error: Error): void
}

export interface Scene {
  database: TestDatabase
  open(): Promise<Queue>
  /** Starts a worker process and waits until it is ready. */
  startWorker(): Promise<Worker>
}

export interface Worker {
  process: ChildProcess
  next(kind: WorkerMessage['kind']): Promise<WorkerMessage>
}

/** Records the attempts that a queue starts, in order. Each one runs until the test ends it. */
export interface Listener {
  attempts: Attempt[]
  exhausted: ExhaustedJob[]
  /** Resolves with the n-th attempt of any job, counted from 1. */
  attempt(n: number): Promise<Attempt>
  firstExhausted(): Promise<ExhaustedJob>
}

export async function openScene(t: TestContext): Promise<Scene> {
  const database = await openTestDatabase({ isEmpty: true })
  const queues: Queue[] = []
  const workers: ChildProcess[] = []
  t.after(async () => {
    for (const worker of workers) worker.kill('SIGKILL')
    await Promise.all(queues.map((queue) => queue[Symbol.asyncDispose]()))
    await database[Symbol.asyncDispose]()
  })
  return {
    database,
    async open() {
      const queue = await openQueue({ address: { url: database.url }, log: silentLog })
      queues.push(queue)
      return queue
    },
    async startWorker() {
      const script = new URL('worker-process.ts', import.meta.url)
      const worker = fork(script, [database.url], { execArgv: [] })
      workers.push(worker)
      const told: WorkerMessage[] = []
      const more = new EventEmitter()
      worker.on('message', (message: WorkerMessage) => {
        told.push(message)
        more.emit('told')
      })
      const next = async (kind: WorkerMessage['kind']) => {
        for (;;) {
          const found = told.findIndex((message) => message.kind === kind)
          if (found !== -1) return told.splice(found, 1)[0] as WorkerMessage
          await once(more, 'told')
        }
      }
      await next('ready')
      return { process: worker, next }
    },
  }
}

export async function listen(queue: Queue, concurrency = 1): Promise<Listener> {
  const more = new EventEmitter()
  const attempts: Attempt[] = []
  const exhausted: ExhaustedJob[] = []
  const run = ({ exportId }: { exportId: string }, context: JobContext) =>
    new Promise<void>((end, fail) => {
      context.signal.addEventListener('abort', () => fail(context.signal.reason), { once: true })
      attempts.push({ ...context, exportId, end, fail })
      more.emit('attempt')
    })
  await queue.work(
    { ...NO_WORK, 'export.restore': run },
    {
      concurrency,
      limitRetrySeconds: 1,
      onExhausted: async (job) => {
        exhausted.push(job)
        more.emit('exhausted')
      },
    },
  )
  return {
    attempts,
    exhausted,
    async attempt(n) {
      while (attempts.length < n) await once(more, 'attempt')
      return attempts[n - 1] as Attempt
    },
    async firstExhausted() {
      while (exhausted.length === 0) await once(more, 'exhausted')
      return exhausted[0] as ExhaustedJob
    },
  }
}

/** Gives each job its own organization, since the number of running jobs per organization is limited. */
export const ownerOf = (exportId: string) => ({ organizationId: `org_${exportId}`, projectId: 'prj_1' })

export const enqueue = ({ database }: Scene, queue: Queue, exportId: string): Promise<string | null> =>
  database.transaction((tx) => queue.enqueue(tx, 'export.restore', { exportId }, ownerOf(exportId)))

/** Reads the state from the queue's table, for ended jobs too. */
export async function stateOf({ database }: Scene, jobId: string | null): Promise<string | undefined> {
  const found = await database.pool.query<{ state: string }>('SELECT state FROM pgboss.job WHERE id = $1', [
    jobId,
  ])
  return found.rows[0]?.state
}
