/** What the queue promises for each job. A job without a row here does not compile. */
import type { JobName } from '../contract/jobs.ts'

export interface JobSettings {
  /** After this many seconds in one attempt the handler is aborted and the attempt counts as failed. */
  deadlineSeconds: number
}

const SIX_HOURS = 21_600

export const JOB_SETTINGS: Record<JobName, JobSettings> = {
  'export.build': { deadlineSeconds: SIX_HOURS },
  'deployment.publish': { deadlineSeconds: SIX_HOURS },
}

export const JOB_NAMES = Object.keys(JOB_SETTINGS) as JobName[]

/** Attempts in all; being handed on by a server that stops is not one. */
export const MAX_ATTEMPTS = 3

/** Where jobs go that have no attempt left, so that somebody can say so in their own rows. */
export const EXHAUSTED_QUEUE = 'exhausted'

/**
 * Times of the lease, in seconds. A dead worker's job is seen after `heartbeat` + up to 2 × `supervise`, waits `retry`
 * × 1 to 4, and is fetched within `poll`: 10 to 17 in all, below the 30 that are promised.
 */
export const LEASE_SECONDS = {
  /** The least that the library takes. A worker that is blocked for longer loses its job. */
  heartbeat: 10,
  /** Also how soon a cancelled job's handler hears of it. */
  refresh: 2,
  supervise: 1,
  retry: 1,
  /** New jobs come by notification; retried ones do not, they wait for this poll. */
  poll: 1,
} as const
