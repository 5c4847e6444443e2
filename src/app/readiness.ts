/**
 * Readiness for /readyz. Components shared by all nodes are reported with a message for the operator but do not make a
 * node unready. Otherwise a load balancer would remove all nodes at the same time, although some pages and calls still
 * work.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { cacheResultFor } from '../base/async-cache.ts'
import type { Readiness } from '../http/server.ts'
import { readQueueState } from '../queue/job-table.ts'
import type { Context } from './context.ts'
import { STORE_KEY } from './installation.ts'
import type { WorkerProcess } from './worker-process.ts'

const REQUIRED_COMPONENTS: ReadonlySet<string> = new Set(['database'])
/** Jobs start within a second. A longer wait while no job is running means that no worker accepts jobs. */
const MAX_QUEUE_WAIT_SECONDS = 60
const CHECK_TIMEOUT_MS = 3000
/** Cache time of results, because load balancers poll often and independently. */
const CACHE_MS = 1000

export interface NodeReadiness {
  isReady(): Promise<Readiness>
  drain(): void
}

export function createReadiness(context: Context, worker: () => WorkerProcess | null): NodeReadiness {
  const read = cacheResultFor(CACHE_MS, () => readReadiness(context, worker()))
  let isDraining = false
  return {
    isReady() {
      if (isDraining) return Promise.resolve({ ok: false, parts: { node: 'It is stopping.' } })
      return read()
    },
    drain() {
      isDraining = true
    },
  }
}

async function readReadiness(context: Context, worker: WorkerProcess | null): Promise<Readiness> {
  const parts: Record<string, Promise<string>> = {
    database: readDatabase(context),
    objects: readObjects(context),
    disk: readDisk(context),
    queue: readQueue(context),
    ...(worker === null ? {} : { workers: Promise.resolve(readWorkers(worker)) }),
  }
  const partReports = Object.entries(parts).map(async ([name, part]) => {
    const timeoutReport = delay(
      CHECK_TIMEOUT_MS,
      `It did not respond within ${CHECK_TIMEOUT_MS / 1000} seconds.`,
      {
        ref: false,
      },
    )
    return [name, await Promise.race([part, timeoutReport])] as const
  })
  const all = Object.fromEntries(await Promise.all(partReports))
  return {
    ok: Object.entries(all).every(([name, said]) => said === OK_STATE || !REQUIRED_COMPONENTS.has(name)),
    parts: all,
  }
}

const OK_STATE = 'ok'

async function readDatabase({ database }: Context): Promise<string> {
  return (await database.isReachable()) ? OK_STATE : 'The database cannot be reached.'
}

async function readObjects({ objects, log }: Context): Promise<string> {
  try {
    if ((await objects.head(STORE_KEY)) !== null) return OK_STATE
    return 'The object store does not contain the files of the first node. Check the folder or the bucket.'
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'objects.unreachable')
    return 'The object store cannot be reached.'
  }
}

async function readDisk({ disk }: Context): Promise<string> {
  const free = await disk.freeBytes()
  if (free === null) return 'The data folder cannot be read.'
  if (!(await disk.isShort())) return OK_STATE
  return `The disk of the data folder has only ${Math.floor(free / 1e6)} MB left. Free some space.`
}

async function readQueue({ database }: Context): Promise<string> {
  try {
    const states = await readQueueState(database.queries)
    const waiting = Math.max(...states.map(({ oldestSeconds }) => oldestSeconds))
    const isAtWork = states.some(({ running }) => running > 0)
    if (isAtWork || waiting <= MAX_QUEUE_WAIT_SECONDS) return OK_STATE
    return `A job has been waiting for ${Math.round(waiting)} seconds because no worker is running. Start one.`
  } catch {
    return 'The queue cannot be read.'
  }
}

function readWorkers(worker: WorkerProcess): string {
  return worker.isUp()
    ? OK_STATE
    : 'The worker process stopped and is restarting. See the log for the reason.'
}
