/**
 * Lease times in seconds. The job of a dead worker is detected after `heartbeat` + up to 2 × `supervise`,
 * waits `retry` × 1 to 4, and is fetched within `poll`. The total of 10 to 17 is below the documented 30.
 */
export const LEASE_SECONDS = {
  /** Minimum of the library. A worker that is blocked for longer loses its job. */
  heartbeat: 10,
  /** Also the maximum delay before the handler of a cancelled job is aborted. */
  refresh: 3,
  supervise: 1,
  retry: 1,
  /** Maximum delay before a retry, regardless of the number of attempts. */
  retryMost: 4,
  /** Affects only retried jobs, because new jobs trigger a notification. */
  poll: 1,
} as const
