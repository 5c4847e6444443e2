/** Makes icons in a thread that may take so much memory and so long, and no more. */

import { Worker } from 'node:worker_threads'
import { MachineryError } from '../../base/machinery-error.ts'
import { entryFile } from '../../base/program-files.ts'
import { threadTime } from '../machinery/thread-time.ts'
import type { IconJob } from './make-icons.ts'
import type { IconAnswer } from './worker.ts'

/** Milliseconds of processor time; a tenth of a second is usual. */
const DEADLINE = 20_000
/** Megabytes. Pixels are not counted, they have bounds of their own. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

const KEPT_BUSY: IconAnswer = { fault: 'takes too long or too much memory to be read', level: 'warning' }

/** Rejects with MachineryError, never because of the file. */
export async function runIconWorker(job: IconJob, deadline = DEADLINE): Promise<IconAnswer> {
  const worker = new Worker(entryFile('favicon'), {
    workerData: job,
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
  })
  using time = threadTime(worker, deadline)
  try {
    return await Promise.race([answerOf(worker), time.over.then(() => KEPT_BUSY)])
  } finally {
    await worker.terminate()
  }
}

/** Memory that runs out is the file's doing; any other end without an answer is not. */
function answerOf(worker: Worker): Promise<IconAnswer> {
  return new Promise((resolve, reject) => {
    const lost = (cause?: Error) => reject(new MachineryError('icons could not be made', { cause }))
    worker.once('message', resolve)
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(KEPT_BUSY)
      else lost(error)
    })
    worker.once('exit', () => lost())
  })
}
