/** How long a thread may work, by its own processor time: on a busy machine a clock would end what is as quick as ever. */
import type { Worker } from 'node:worker_threads'

/** Times as long by the clock: then it waits for ever. */
const CLOCK_SHARE = 15
/** Milliseconds between two looks at most. */
const LOOK_MS = 200

export interface ThreadTime extends Disposable {
  /** Resolves when the time is over. */
  readonly over: Promise<void>
}

/** From now on; milliseconds. Keeps the process until it is disposed of. */
export function threadTime(worker: Worker, milliseconds: number): ThreadTime {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const end = performance.now() + milliseconds * CLOCK_SHARE
  // A thread that only begins has used none.
  const before = usedBy(worker).then((used) => used ?? 0)
  const look = async () => {
    const used = await usedBy(worker)
    const isOver = used !== null && used - (await before) > milliseconds
    if (isOver || performance.now() > end) resolve()
  }
  const looking = setInterval(look, Math.min(LOOK_MS, milliseconds / 5))
  return { over, [Symbol.dispose]: () => clearInterval(looking) }
}

/** Milliseconds; null while it has not begun, or is at its end. */
async function usedBy(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage()
    return (user + system) / 1000
  } catch {
    return null
  }
}
