/**
 * Readiness for /readyz. Components shared by all nodes are reported with a sentence for the operator but do not make
 * a node unready: a load balancer would remove all nodes at once, including pages and calls that still work.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Readiness } from '../http/server.ts'
import { readQueueState } from '../queue/queue-state.ts'
import type { Context } from './context.ts'
import { STORE_KEY } from './installation.ts'
import type { WorkerProcess } from './worker-process.ts'

/** Components without which no API call can be answered. */
const REQUIRED_PARTS: ReadonlySet<string> = new Set(['database'])
/** Jobs start within a second. A longer wait while none is running means that no worker takes jobs. */
const MAX_QUEUE_WAIT_SECONDS = 60
/** Time limit of each check, after which the component counts as unhealthy. */
const CHECK_TIMEOUT_MS = 3000
/** Cache time of results, because load balancers poll often and independently. */
const CACHE_MS = 1000

export interface NodeReadiness {
  isReady(): Promise<Readiness>
  /** From now on this node is not ready. */
  drain(): void
}

export function createReadiness(context: Context, worker: () => WorkerProcess | null): NodeReadiness {
  let cached: { at: number; answer: Promise<Readiness> } | null = null
  let isDraining = false
  return {
    isReady() {
      if (isDraining) return Promise.resolve({ ok: false, parts: { node: 'It is stopping.' } })
      if (cached === null || performance.now() - cached.at > CACHE_MS)
        cached = { at: performance.now(), answer: readReadiness(context, worker()) }
      return cached.answer
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
      `It has not answered within ${CHECK_TIMEOUT_MS / 1000} seconds.`,
      {
        ref: false,
      },
    )
    return [name, await Promise.race([part, timeoutReport])] as const
  })
  const all = Object.fromEntries(await Promise.all(partReports))
  return {
    ok: Object.entries(all).every(([name, said]) => said === OK_STATE || !REQUIRED_PARTS.has(name)),
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
    return 'The object store does not hold what the first node left there: check the folder or the bucket.'
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'objects.unreachable')
    return 'The object store cannot be reached.'
  }
}

async function readDisk({ disk }: Context): Promise<string> {
  const free = await disk.freeBytes()
  if (free === null) return 'The data folder cannot be read.'
  if (!(await disk.isShort())) return OK_STATE
  return `The disk of the data folder has ${Math.floor(free / 1e6)} MB left: make room.`
}

async function readQueue({ database }: Context): Promise<string> {
  try {
    const states = await readQueueState(database.queries)
    const waiting = Math.max(...states.map(({ oldestSeconds }) => oldestSeconds))
    const isAtWork = states.some(({ running }) => running > 0)
    if (isAtWork || waiting <= MAX_QUEUE_WAIT_SECONDS) return OK_STATE
    return `A job has been waiting for ${Math.round(waiting)} seconds, and no worker takes it: start one.`
  } catch {
    return 'The queue cannot be read.'
  }
}

function readWorkers(worker: WorkerProcess): string {
  return worker.isUp() ? OK_STATE : 'The worker process is down and is being started again; the log says why.'
}
