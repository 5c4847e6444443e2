/**
 * Worker process to be killed by tests. Takes the database URL as its argument, reports each attempt to its parent and
 * runs it until its signal is aborted.
 */
import { silentLog } from '../../src/base/log.ts'
import type { JobContext } from '../../src/queue/job-handler.ts'
import { openQueue } from '../../src/queue/queue.ts'
import { NO_WORK } from './no-work.ts'

export type WorkerMessage =
  | { kind: 'ready' }
  | { kind: 'started' | 'aborted'; exportId: string; attempt: number }

const tell = (message: WorkerMessage) => process.send?.(message)

async function run({ exportId }: { exportId: string }, { attempt, signal }: JobContext): Promise<void> {
  tell({ kind: 'started', exportId, attempt })
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  tell({ kind: 'aborted', exportId, attempt })
}

const queue = await openQueue({ address: { url: String(process.argv[2]) }, log: silentLog })
await queue.work(
  { ...NO_WORK, 'export.restore': run },
  { concurrency: 1, limitRetrySeconds: 1, onExhausted: () => new Promise(() => {}) },
)
process.on('disconnect', () => process.exit())
tell({ kind: 'ready' })
