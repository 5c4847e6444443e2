/** Schedule for retrying failed deliveries: 14 attempts over three days, at increasing intervals. */

const MINUTE = 60
const HOUR = 3600

/** Delays in seconds after each attempt, a little less than three days in total. */
const RETRY_DELAYS = [
  5,
  30,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

export const GIVE_UP_HOURS = 72

/** Maximum delay that a receiver may request. */
const MAX_RETRY_AFTER_SECONDS = 24 * HOUR

/**
 * Returns the seconds until the next attempt, or null after the last one. Uses 75 to 100 % of the delay, so
 * that deliveries that failed at the same time are not retried at the same time; longer if the receiver
 * requested it.
 */
export function retryDelay(
  attempts: number,
  {
    requestedSeconds = null,
    random = Math.random,
  }: { requestedSeconds?: number | null; random?: () => number } = {},
): number | null {
  const delay = RETRY_DELAYS[attempts - 1]
  if (delay === undefined) return null
  return Math.max(delay * (0.75 + random() / 4), Math.min(requestedSeconds ?? 0, MAX_RETRY_AFTER_SECONDS))
}

export function readRetryAfter(header: unknown, now: number): number | null {
  if (typeof header !== 'string') return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
