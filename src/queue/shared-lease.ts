/**
 * Keeps the work for many rows in step with them, with one question for all: whoever has lost its row (cancelled, or taken
 * over by a later attempt) hears of it at the next look.
 */
import type { Held } from './held-rows.ts'
import { RowLostError } from './lease.ts'

export interface HeldLease {
  /** Aborts with the caller's signal, and when the row was lost. */
  signal: AbortSignal
  [Symbol.asyncDispose](): Promise<void>
}

/** Between two looks at the rows: how soon a cancel takes effect. */
const LOOK_MS = 400

export function heldKey({ id, queueJobId, attempt }: Held): string {
  return `${id} ${queueJobId} ${attempt}`
}

/**
 * `ask` answers which of the rows, by `heldKey`, are still held as they were given. One that throws is asked again at the next look: a
 * short absence of the database does not end the work.
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
    // The same row may be held twice for a moment, by two attempts.
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
