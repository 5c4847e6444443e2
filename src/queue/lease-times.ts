/**
 * Lease times in seconds. A dead worker's job is noticed after `heartbeat` + up to 2 × `supervise`, waits `retry` × 1
 * to 4, and is fetched within `poll`: 10 to 17 in total, below the documented 30.
 */
export const LEASE_SECONDS = {
  /** The library's minimum. A worker that is blocked for longer loses its job. */
  heartbeat: 10,
  /** Also determines how soon the handler of a cancelled job is aborted. */
  refresh: 3,
  supervise: 1,
  retry: 1,
  /** Maximum delay, regardless of the number of attempts. */
  retryMost: 4,
  /** New jobs arrive by notification. Retried ones wait for this poll. */
  poll: 1,
} as const
