/** Watches claimed rows with a shared query. Aborts work whose row was lost or cancelled. */

import { RowLostError } from './lease.ts'
import type { RowLease } from './leased-rows.ts'

export interface SharedLease {
  /** Aborted with the caller's signal, or when the row is lost. */
  signal: AbortSignal
  [Symbol.asyncDispose](): Promise<void>
}

/** Determines how soon a cancellation takes effect. */
const CHECK_INTERVAL_MS = 400

export function rowLeaseKey({ id, queueJobId, attempt }: RowLease): string {
  return `${id} ${queueJobId} ${attempt}`
}

/**
 * `findLeased` returns the `rowLeaseKey` of rows that still belong to the attempt. If it throws, it is called
 * again at the next check, so that a short database outage does not end the work.
 */
export function createLeaseWatch(
  findLeased: (rowLease: readonly RowLease[]) => Promise<ReadonlySet<string>>,
): (signal: AbortSignal, rowLease: RowLease) => SharedLease {
  const watched = new Map<RowLease, AbortController>()
  let isChecking = false
  const check = async () => {
    const checked = [...watched.keys()]
    const ours = await findLeased(checked).catch(() => null)
    for (const rowLease of checked) {
      if (ours === null || ours.has(rowLeaseKey(rowLease))) continue
      watched.get(rowLease)?.abort(new RowLostError('the job was cancelled or taken over'))
    }
    isChecking = watched.size > 0
    if (isChecking) setTimeout(check, CHECK_INTERVAL_MS)
  }
  return (signal, rowLease) => {
    const lost = new AbortController()
    // Copied to get a unique map key, because two attempts may briefly hold the same row.
    const own = { ...rowLease }
    watched.set(own, lost)
    if (!isChecking) setTimeout(check, CHECK_INTERVAL_MS)
    isChecking = true
    return {
      signal: AbortSignal.any([signal, lost.signal]),
      async [Symbol.asyncDispose]() {
        watched.delete(own)
      },
    }
  }
}
