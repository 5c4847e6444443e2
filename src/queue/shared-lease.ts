/**
 * Watches many claimed rows with one shared query. Work that has lost its row (cancelled, or claimed by a later
 * attempt) is aborted at the next check.
 */
import type { Held } from './held-rows.ts'
import { RowLostError } from './lease.ts'

export interface HeldLease {
  /** Aborts with the caller's signal, and when the row is lost. */
  signal: AbortSignal
  [Symbol.asyncDispose](): Promise<void>
}

/** Interval between two checks of the rows: how soon a cancellation takes effect. */
const LOOK_MS = 400

export function heldKey({ id, queueJobId, attempt }: Held): string {
  return `${id} ${queueJobId} ${attempt}`
}

/**
 * `ask` returns which of the rows, by `heldKey`, are still held as given. If it throws, it is called again at the
 * next check, so that a short database outage does not end the work.
 */
export function createHeldWatch(
  ask: (held: readonly Held[]) => Promise<ReadonlySet<string>>,
): (signal: AbortSignal, held: Held) => HeldLease {
  const watched = new Map<Held, AbortController>()
  let isLooking = false
  const look = async () => {
    const asked = [...watched.keys()]
    const ours = await ask(asked).catch(() => null)
    for (const held of asked) {
      if (ours === null || ours.has(heldKey(held))) continue
      watched.get(held)?.abort(new RowLostError('the job was cancelled or taken over'))
    }
    isLooking = watched.size > 0
    if (isLooking) setTimeout(look, LOOK_MS)
  }
  return (signal, held) => {
    const lost = new AbortController()
    // Two attempts may briefly hold the same row.
    const own = { ...held }
    watched.set(own, lost)
    if (!isLooking) setTimeout(look, LOOK_MS)
    isLooking = true
    return {
      signal: AbortSignal.any([signal, lost.signal]),
      async [Symbol.asyncDispose]() {
        watched.delete(own)
      },
    }
  }
}
