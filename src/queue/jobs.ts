/**
 * Background jobs: the payload of each, and the guarantees of the queue. All other data is in rows of the domains.
 */

export interface JobSettings {
  /**
   * Maximum duration of one attempt in seconds. After that, the handler is aborted and the attempt counts as failed.
   */
  deadlineSeconds: number
  /**
   * Kind of slot that the job takes while it uses the processor. An organization has OCTAVO_WORKERS slots of each
   * kind. Null for a job whose tools take their own.
   */
  slots: SlotKind | null
  /**
   * Maximum number of running jobs of an organization across all processes, including jobs that wait for other
   * servers, as a fraction of the running jobs of one process.
   */
  share: number
  /** Maximum number of attempts. Being handed on by a stopping server does not count. */
  attempts: number
}

interface Job<Payload> extends JobSettings {
  /** Only carries the type; never set. */
  payload?: Payload
}

export type SlotKind = 'export' | 'deployment'

const SIX_HOURS = 21_600
const SITE_SHARE = 1 / 4

/**
 * Maximum number of attempts for a job that starts over each time. For one that continues, attempts that ended at the
 * same place.
 */
export const MAX_ATTEMPTS = 3
/** For jobs that count unsuccessful attempts themselves. */
const SELF_COUNTED_ATTEMPTS = 1000

export const JOBS = {
  // See attempt-position.ts.
  'export.build': defineJob<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: SELF_COUNTED_ATTEMPTS,
    slots: 'export',
    share: SITE_SHARE,
  }),
  /** Rebuilds the missing archive of a completed export. */
  'export.restore': defineJob<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MAX_ATTEMPTS,
    slots: 'export',
    share: SITE_SHARE,
  }),
  'deployment.publish': defineJob<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: SELF_COUNTED_ATTEMPTS,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  /** Rebuilds missing files of a published version. */
  'deployment.restore': defineJob<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MAX_ATTEMPTS,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  // Each step is saved, so an attempt loses nothing. The job itself counts attempts without progress.
  'agent.run': defineJob<{ jobId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: SELF_COUNTED_ATTEMPTS,
    slots: null,
    share: 3 / 4,
  }),
}

export type JobName = keyof typeof JOBS
/** Payload of each job. */
export type Jobs = { [Name in JobName]: NonNullable<(typeof JOBS)[Name]['payload']> }

export const JOB_NAMES = Object.keys(JOBS) as JobName[]

/** Queue for jobs without attempts left, so that their rows can be ended. */
export const EXHAUSTED_QUEUE = 'exhausted'

function defineJob<Payload>(settings: JobSettings): Job<Payload> {
  return settings
}
