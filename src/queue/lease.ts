/**
 * Keeps a domain's row in step with the job that works for it: writes progress at intervals, and ends the work when the
 * row is no longer this attempt's (cancelled, or taken over by a later attempt). The job of a dead worker is taken up again
 * by the queue's own lease, see queue.ts.
 */

export interface Lease<Progress> {
  /** Aborts with the caller's signal, and when the row was lost. */
  signal: AbortSignal
  /** Remembers the newest progress; it is written with the next look at the row, or now. */
  report(progress: Progress, isUrgent?: boolean): void
  /** Writes what was reported last. */
  flush(): Promise<void>
  /** Stops looking; waits for a look under way. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The work has lost its row: whatever it still does counts for nothing. */
export class RowLostError extends Error {
  override name = 'RowLostError'
}

/** Between two looks at the row: how soon a cancel takes effect and how old shown progress may be. */
const LOOK_MS = 400

/**
 * `write` stores the progress (null: none yet) guarded by the attempt, and answers whether the row was still ours. A
 * `write` that throws is tried again at the next look: a short absence of the database does not end the work.
 */
export function holdLease<Progress>(
  signal: AbortSignal,
  write: (progress: Progress | null) => Promise<boolean>,
): Lease<Progress> {
  const lost = new AbortController()
  let newest: Progress | null = null
  let isLooking: Promise<void> | null = null
  const look = async () => {
    const isOurs = await write(newest).catch(() => true)
    if (!isOurs) lost.abort(new RowLostError('the job was cancelled or taken over'))
  }
  const lookNow = () => {
    isLooking ??= look().finally(() => {
      isLooking = null
    })
    return isLooking
  }
  const timer = setInterval(lookNow, LOOK_MS)
  return {
    signal: AbortSignal.any([signal, lost.signal]),
    report(progress, isUrgent = false) {
      newest = progress
      if (isUrgent) void lookNow()
    },
    async flush() {
      await isLooking
      await lookNow()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await isLooking
    },
  }
}
