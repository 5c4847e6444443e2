/** Makes icons in a thread that may take so much memory and so long, and no more. */
import { Worker } from 'node:worker_threads'
import type { IconJob } from './make-icons.ts'
import type { IconAnswer } from './worker.ts'

/** Milliseconds; a tenth of a second is usual. */
const DEADLINE = 20_000
/** Megabytes. Pixels are not counted, they have bounds of their own. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

const TOO_MUCH = 'takes too long or too much memory to be read'

/** Never rejects because of the file. */
export async function runIconWorker(job: IconJob, deadline = DEADLINE): Promise<IconAnswer> {
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./worker.${ending}`, import.meta.url), {
    workerData: job,
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
  })
  const clock = setTimeout(() => void worker.terminate(), deadline)
  try {
    return await answerOf(worker)
  } finally {
    clearTimeout(clock)
    await worker.terminate()
  }
}

/** A thread that is ended from outside, or by its limits, is one that the file kept busy. */
function answerOf(worker: Worker): Promise<IconAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', () => resolve({ fault: TOO_MUCH, level: 'warning' }))
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return
      reject(error)
    })
  })
}
