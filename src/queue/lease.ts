/**
 * Keeps a domain's row in step with the job that works on it: writes progress at intervals, and ends the work when
 * the row no longer belongs to this attempt (cancelled, or claimed by a later attempt). The job of a dead worker is
 * claimed again through the queue's own lease, see queue.ts.
 */

export interface Lease<Progress> {
  /** Aborts with the caller's signal, and when the row is lost. */
  signal: AbortSignal
  /** Records the latest progress. It is written at the next interval, or immediately if urgent. */
  report(progress: Progress, isUrgent?: boolean): void
  /** Writes the latest reported progress. */
  flush(): Promise<void>
  /** Stops the intervals and waits for a write in progress. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The attempt has lost its row, so its further results do not count. */
export class RowLostError extends Error {
  override name = 'RowLostError'
}

/**
 * Interval between two checks of the row: how soon a cancellation takes effect, and how old displayed progress may
 * be.
 */
const CHECK_INTERVAL_MS = 400

/**
 * `write` stores the progress (null: none yet), guarded by the attempt, and returns whether the row still belonged to
 * it. A `write` that throws is retried at the next interval, so that a short database outage does not end the work.
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
