/** Thread that draws images, started on demand, with memory and time limits. */

import { Worker } from 'node:worker_threads'
import { entryFile } from '../../base/files/program-files.ts'
import { createThreadTimer } from '../machinery/thread-time.ts'
import type { DrawingResponse, DrawingTask } from './worker.ts'

export interface Artist extends AsyncDisposable {
  /** Returns a PNG file; null if it cannot be drawn, or not in time. */
  draw(task: DrawingTask): Promise<Uint8Array | null>
}

/** Maximum processor time per image, in milliseconds. Generous: 100 ms is already slow for an image. */
const DEADLINE_MS = 10_000
/** Threads tried per image, because an earlier image may have crashed the first one. */
const MAX_THREADS = 2
/** Consecutive failures after which no more images are drawn, because threads do not work on this system. */
const MAX_FAILURES = 3
const IDLE_TIMEOUT_MS = 20_000
/** Memory limits of the thread in megabytes. They do not cover pixels, which have separate limits. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

export function openArtist(deadline = DEADLINE_MS): Artist {
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let failures = 0
  let last: Promise<unknown> = Promise.resolve()

  const end = async () => {
    clearTimeout(idle)
    const ending = worker
    worker = null
    await ending?.terminate()
  }
  const drawNow = async (task: DrawingTask): Promise<Uint8Array | null> => {
    clearTimeout(idle)
    if (failures === MAX_FAILURES) return null
    for (let thread = 0; thread < MAX_THREADS; thread++) {
      worker ??= startWorker()
      const answer = await answerOf(worker, task, deadline)
      if (answer !== null) {
        failures = 0
        idle = setTimeout(() => void end(), IDLE_TIMEOUT_MS)
        idle.unref()
        return answer.png
      }
      await end()
    }
    failures++
    return null
  }
  return {
    draw(task) {
      const drawing = last.then(() => drawNow(task))
      last = drawing.catch(() => {})
      return drawing
    },
    async [Symbol.asyncDispose]() {
      await last
      await end()
    },
  }
}

function startWorker(): Worker {
  const options = { resourceLimits: LIMITS, stdout: true, stderr: true }
  const worker = new Worker(entryFile('thumbnail'), options)
  worker.on('error', () => {}) // handled through the `exit` event
  worker.unref()
  return worker
}

/** Returns null if the thread ends or does not respond in time. The thread is unusable afterwards. */
async function answerOf(
  worker: Worker,
  task: DrawingTask,
  deadline: number,
): Promise<DrawingResponse | null> {
  using time = createThreadTimer(worker, deadline)
  const { promise: answer, resolve } = Promise.withResolvers<DrawingResponse | null>()
  const lost = () => resolve(null)
  worker.once('message', resolve).once('exit', lost)
  worker.postMessage(task)
  try {
    return await Promise.race([answer, time.over.then(() => null)])
  } finally {
    worker.off('message', resolve).off('exit', lost)
  }
}
