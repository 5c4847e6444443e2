/** Background jobs: what each is given, and what the queue promises for it. Rows of the domains hold all else. */

export interface JobSettings {
  /** After this many seconds in one attempt the handler is aborted and the attempt counts as failed. */
  deadlineSeconds: number
  /**
   * Whose slots it takes while it uses the processor: of each kind an organization has as many as OCTAVO_WORKERS says. Null
   * for a job whose tools take their own.
   */
  slots: SlotKind | null
  /**
   * What an organization may have at work in all processes, as a part of what one process has at work, jobs that wait for
   * other servers among them.
   */
  share: number
  /** Attempts in all; being handed on by a server that stops is not one. */
  attempts: number
}

interface Job<Payload> extends JobSettings {
  /** Of the type alone: no job has it. */
  payload?: Payload
}

export type SlotKind = 'export' | 'deployment'

const SIX_HOURS = 21_600
const SITE_SHARE = 1 / 4

/** Of a job that begins anew each time; of one that goes on, those that ended at the same place. */
export const MAX_ATTEMPTS = 3
/** Of jobs that count by themselves which attempts were in vain. */
const MANY = 1000

export const JOBS = {
  // See attempt-place.ts.
  'export.build': given<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MANY,
    slots: 'export',
    share: SITE_SHARE,
  }),
  /** The archive of a completed export that is missing. */
  'export.restore': given<{ exportId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MAX_ATTEMPTS,
    slots: 'export',
    share: SITE_SHARE,
  }),
  'deployment.publish': given<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MANY,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  /** Files of a published version that are missing. */
  'deployment.restore': given<{ deploymentId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MAX_ATTEMPTS,
    slots: 'deployment',
    share: SITE_SHARE,
  }),
  // Each step is saved, so an attempt is no loss: the job itself counts those in which nothing was.
  'agent.run': given<{ jobId: string }>({
    deadlineSeconds: SIX_HOURS,
    attempts: MANY,
    slots: null,
    share: 3 / 4,
  }),
}

export type JobName = keyof typeof JOBS
/** What each job is given. */
export type Jobs = { [Name in JobName]: NonNullable<(typeof JOBS)[Name]['payload']> }

export const JOB_NAMES = Object.keys(JOBS) as JobName[]

/** Where jobs go that have no attempt left, so that somebody can say so in their own rows. */
export const EXHAUSTED_QUEUE = 'exhausted'

function given<Payload>(settings: JobSettings): Job<Payload> {
  return settings
}
