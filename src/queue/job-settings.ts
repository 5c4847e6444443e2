/** Payloads and settings of background jobs. All other data of a job is in the rows of its feature. */

export interface JobSettings {
  /** Maximum duration of an attempt in seconds. Then the handler is aborted, and the attempt has failed. */
  deadlineSeconds: number
  /**
   * Kind of slot required to use the processor. An organization has OCTAVO_WORKERS slots of each kind. Null if
   * the tools of the job acquire slots themselves.
   */
  slots: SlotKind | null
  /**
   * Maximum number of running jobs of an organization across all processes, as a share of the maximum of one
   * process. Includes jobs that wait for other servers.
   */
  share: number
  /** Maximum number of attempts, not counting those ended by a stopping server. */
  attempts: number
}

interface Job<Payload> extends JobSettings {
  /** Only for type inference, never set. */
  payload?: Payload
}

export type SlotKind = 'export' | 'deployment'

const SIX_HOURS_IN_SECONDS = 21_600
const SITE_SHARE = 1 / 4

/**
 * Maximum number of attempts for a job that starts over each time. For a job that continues earlier work,
 * only attempts that ended at the same point count.
 */
export const MAX_ATTEMPTS = 3
/** Attempt limit for jobs that keep their own count of attempts without progress. */
const MAX_SELF_COUNTED_ATTEMPTS = 1000

export const JOBS = {
  // Counts attempts as described in count-attempts.ts.
  'export.build': defineJob<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS_IN_SECONDS,
    attempts: MAX_SELF_COUNTED_ATTEMPTS,
    slots: 'export',
    share: SITE_SHARE,
  }),
  /** Rebuilds a missing archive of a completed export. */
  'export.restore': defineJob<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS_IN_SECONDS,
    attempts: MAX_ATTEMPTS,
    slots: 'export',
    share: SITE_SHARE,
  }),
  'deployment.publish': defineJob<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS_IN_SECONDS,
    attempts: MAX_SELF_COUNTED_ATTEMPTS,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  /** Rebuilds missing files of a published version. */
  'deployment.restore': defineJob<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS_IN_SECONDS,
    attempts: MAX_ATTEMPTS,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  // Attempts continue from the last saved step. The handler counts attempts without progress.
  'agent.run': defineJob<{ jobId: string }>({
    deadlineSeconds: SIX_HOURS_IN_SECONDS,
    attempts: MAX_SELF_COUNTED_ATTEMPTS,
    slots: null,
    share: 3 / 4,
  }),
}

export type JobName = keyof typeof JOBS
export type Jobs = { [Name in JobName]: NonNullable<(typeof JOBS)[Name]['payload']> }

export const JOB_NAMES = Object.keys(JOBS) as JobName[]

/** Queue that receives jobs with no attempts left. Their rows are then set to failed. */
export const EXHAUSTED_QUEUE = 'exhausted'

function defineJob<Payload>(settings: JobSettings): Job<Payload> {
  return settings
}
