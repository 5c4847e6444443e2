/**
 * Writes the progress of a job to its row at intervals. Aborts the work when another attempt has claimed the
 * row, or when the row was cancelled. If the worker dies, the queue's lease expires, see queue.ts.
 */

export interface Lease<Progress> {
  /** Aborted with the caller's signal, or when the row is lost. */
  signal: AbortSignal
  /** Reports progress, which is written at the next interval, or immediately if urgent. */
  report(progress: Progress, isUrgent?: boolean): void
  flush(): Promise<void>
  /** Stops the interval and waits for a write in progress. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The row was lost to another attempt, or cancelled. Further results of this attempt do not count. */
export class RowLostError extends Error {
  override name = 'RowLostError'
}

/** Determines how soon a cancellation takes effect and how old displayed progress can be. */
const CHECK_INTERVAL_MS = 400

/**
 * `write` stores the progress (null if there is none yet) and returns whether the row still belongs to the
 * attempt. If it throws, it is called again at the next interval, so that a short database outage does not
 * end the work.
 */
export function startLease<Progress>(
  signal: AbortSignal,
  write: (progress: Progress | null) => Promise<boolean>,
): Lease<Progress> {
  const lost = new AbortController()
  let newest: Progress | null = null
  let runningCheck: Promise<void> | null = null
  const check = async () => {
    const isOurs = await write(newest).catch(() => true)
    if (!isOurs) lost.abort(new RowLostError('the job was cancelled or taken over'))
  }
  const checkNow = () => {
    runningCheck ??= check().finally(() => {
      runningCheck = null
    })
    return runningCheck
  }
  const timer = setInterval(checkNow, CHECK_INTERVAL_MS)
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    report(progress, isUrgent = false) {
      newest = progress
      if (isUrgent) void checkNow()
    },
    async flush() {
      await runningCheck
      await checkNow()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await runningCheck
    },
  }
}
