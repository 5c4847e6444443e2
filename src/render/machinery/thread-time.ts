/** Limits the processor time of a thread. A wall-clock limit would stop normal work on a busy machine. */
import type { Worker } from 'node:worker_threads'

/** Wall-clock limit as a multiple of the processor time limit. A thread that exceeds it is considered blocked. */
const WALL_CLOCK_FACTOR = 15
/** Maximum interval between checks, in milliseconds. */
const CHECK_INTERVAL_MS = 200

export interface ThreadTimer extends Disposable {
  /** Resolves when the limit is reached. */
  readonly over: Promise<void>
}

/** Starts measuring. `milliseconds` is the limit. Keeps the process alive until disposed. */
export function createThreadTimer(worker: Worker, milliseconds: number): ThreadTimer {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const end = performance.now() + milliseconds * WALL_CLOCK_FACTOR
  // A thread that is still starting has used no time.
  const before = measureThread(worker).then((used) => used ?? 0)
  const check = async () => {
    const used = await measureThread(worker)
    const isOver = used !== null && used - (await before) > milliseconds
    if (isOver || performance.now() > end) resolve()
  }
  const looking = setInterval(check, Math.min(CHECK_INTERVAL_MS, milliseconds / 5))
  return { over, [Symbol.dispose]: () => clearInterval(looking) }
}

/** Returns milliseconds, or null if the thread has not started or is ending. */
async function measureThread(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return null
  }
}
