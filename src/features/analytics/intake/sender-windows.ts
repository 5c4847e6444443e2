/** How much a sender and a site may send, counted by this process alone: a database call for each would cost what it saves. */
import type { Limit } from '../../../base/api/limits.ts'

export interface SenderWindows {
  /** Takes so many places at once, or none. */
  take(sharer: string, places: number): WindowVerdict
}

export interface WindowVerdict {
  accepted: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window begins anew. */
  resetSeconds: number
  retryAfterSeconds: number
}

/** Sharers beyond these push out the oldest: they cost memory, not the limit of everybody else. */
const SHARERS_KEPT = 100_000

/** Fixed windows, each from the first place that is taken in it. */
export function createSenderWindows(
  { count, seconds }: Limit,
  now: () => number = () => performance.now(),
): SenderWindows {
  const windows = new Map<string, { startedAt: number; used: number }>()
  return {
    take(sharer, places) {
      let window = windows.get(sharer)
      if (window === undefined || now() - window.startedAt >= seconds * 1000) {
        window = { startedAt: now(), used: 0 }
        windows.delete(sharer)
        windows.set(sharer, window)
        for (const oldest of windows.keys()) {
          if (windows.size <= SHARERS_KEPT) break
          windows.delete(oldest)
        }
      }
      const accepted = window.used + places <= count
      if (accepted) window.used += places
      const resetSeconds = Math.max(1, Math.ceil(seconds - (now() - window.startedAt) / 1000))
      return {
        accepted,
        limit: count,
        remaining: Math.max(0, count - window.used),
        resetSeconds,
        retryAfterSeconds: accepted ? 0 : resetSeconds,
      }
    },
  }
}
