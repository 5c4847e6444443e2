/**
 * Rate limits per sender and per site, counted per process: a database query for each batch would cost as
 * much as the limits save.
 */
import type { Limit } from '../../../base/api/limits.ts'

export interface SenderWindows {
  /** Takes `cost` from the window, or nothing if less than `cost` remains. */
  consume(sharer: string, cost: number): WindowVerdict
}

export interface WindowVerdict {
  accepted: boolean
  limit: number
  remaining: number
  resetSeconds: number
  retryAfterSeconds: number
}

/** Maximum number of windows in memory; the oldest are evicted. */
const MAX_SENDER_WINDOWS = 100_000

/** Creates fixed windows, each starting with its first request. */
export function createSenderWindows(
  { count, seconds }: Limit,
  now: () => number = () => performance.now(),
): SenderWindows {
  const windows = new Map<string, { startedAt: number; used: number }>()
  return {
    consume(sharer, cost) {
      let window = windows.get(sharer)
      if (window === undefined || now() - window.startedAt >= seconds * 1000) {
        window = { startedAt: now(), used: 0 }
        windows.delete(sharer)
        windows.set(sharer, window)
        for (const oldest of windows.keys()) {
          if (windows.size <= MAX_SENDER_WINDOWS) break
          windows.delete(oldest)
        }
      }
      const accepted = window.used + cost <= count
      if (accepted) window.used += cost
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
