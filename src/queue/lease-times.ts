/**
 * Times of the lease, in seconds. A dead worker's job is seen after `heartbeat` + up to 2 × `supervise`, waits `retry`
 * × 1 to 4, and is fetched within `poll`: 10 to 17 in all, below the 30 that are promised.
 */
export const LEASE_SECONDS = {
  /** The least that the library takes. A worker that is blocked for longer loses its job. */
  heartbeat: 10,
  /** Also how soon a cancelled job's handler hears of it. */
  refresh: 3,
  supervise: 1,
  retry: 1,
  /** The longest wait, however many attempts there were. */
  retryMost: 4,
  /** New jobs come by notification; retried ones do not, they wait for this poll. */
  poll: 1,
} as const
