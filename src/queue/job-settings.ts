/** What the queue promises for each job. A job without a row here does not compile. */
import type { JobName } from '../contract/jobs.ts'

export interface JobSettings {
  /** After this many seconds in one attempt the handler is aborted and the attempt counts as failed. */
  deadlineSeconds: number
  /** It waits for others most of its time, and holds little while it does. */
  isMostlyWaiting?: boolean
  /** Attempts in all; being handed on by a server that stops is not one. */
  attempts: number
}

const SIX_HOURS = 21_600

/** Of a job that begins anew each time; of one that goes on, those that ended at the same place. */
export const MAX_ATTEMPTS = 3
/** Of jobs that count by themselves which attempts were in vain. */
const MANY = 1000

export const JOB_SETTINGS: Record<JobName, JobSettings> = {
  // See attempt-place.ts.
  'export.build': { deadlineSeconds: SIX_HOURS, attempts: MANY },
  'export.restore': { deadlineSeconds: SIX_HOURS, attempts: MAX_ATTEMPTS },
  'deployment.publish': { deadlineSeconds: SIX_HOURS, attempts: MANY },
  'deployment.restore': { deadlineSeconds: SIX_HOURS, attempts: MAX_ATTEMPTS },
  // Each step is saved, so an attempt is no loss: the job itself counts those in which nothing was.
  'agent.run': { deadlineSeconds: SIX_HOURS, attempts: MANY, isMostlyWaiting: true },
}

export const JOB_NAMES = Object.keys(JOB_SETTINGS) as JobName[]

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
  /** The longest wait, however many attempts there were. */
  retryMost: 4,
  /** New jobs come by notification; retried ones do not, they wait for this poll. */
  poll: 1,
} as const
