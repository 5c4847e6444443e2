/** Interface between features and the queue: one handler per job name. */
import type { Log } from '../base/log.ts'
import type { Slot } from '../base/slot.ts'
import type { ExhaustedJob } from './exhausted-job.ts'
import type { JobName, Jobs } from './job-settings.ts'

export interface JobContext {
  /**
   * Aborted when the job is cancelled, claimed by another worker or past its deadline, or when the server
   * stops.
   */
  signal: AbortSignal
  /** Starts at 1, increases with each claim of the job and never repeats. Used as a fencing token. */
  attempt: number
  jobId: string
  log: Log
  /** Acquire for work that uses the processor. Released when the job ends. */
  slot: Slot
  /** Returns whether an error resulted from a full disk, in which case the attempt does not count. */
  lacksDiskSpace(error: unknown): Promise<boolean>
  /** Runs the work and, if it succeeds, reports its duration. */
  timed<Result>(stage: JobStage, work: () => Promise<Result>): Promise<Result>
}

/**
 * Reason for aborting when the server stops. Another server continues the job, and the attempt does not
 * count.
 */
export class JobHandoverError extends Error {
  override name = 'JobHandoverError'
}

type SiteStage = 'source' | 'render' | 'store'
/** Stages of agent jobs. `check` precedes publishing; `record` stores the result of the job. */
type AgentStage = 'open' | 'model' | 'tools' | 'save' | 'check' | 'commit' | 'push' | 'forge' | 'record'

export type JobStage = SiteStage | AgentStage

/** `abandoned`: cancelled, claimed by another worker, past its deadline, or ended by a stopping server. */
export type JobEnd = 'completed' | 'failed' | 'abandoned'

/** Completes the job by resolving. Rejecting fails the attempt, which may be retried. */
export type JobHandler<Name extends JobName> = (payload: Jobs[Name], context: JobContext) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

export interface ActiveJob {
  name: JobName
  id: string
  retryCount: number
}

export interface WorkOptions {
  /** Number of slots of each kind per organization in this process; 0 runs no jobs. */
  concurrency: number
  /**
   * Maximum number of started jobs per name in this process, including those that wait for a slot. Defaults to
   * `concurrency`.
   */
  maxConcurrent?: (name: JobName) => number
  /**
   * Delay in seconds before retrying a job that exceeded the limits of its process or repeatedly failed with an
   * internal error. Doubled for each further attempt.
   */
  limitRetrySeconds: number
  /**
   * Called when a job has no attempts left, even if every attempt ended because its process died. Repeated until
   * it resolves. Sets rows that are not final to `failed`.
   */
  onExhausted: (job: ExhaustedJob) => Promise<void>
  /** While true, no attempt starts, so that no attempts are lost while the disk is full. */
  isDiskShort?: () => Promise<boolean>
  watch?: JobWatch
  /** Called with all running jobs before a job starts and after one has ended. */
  onActiveJobs?: (jobs: readonly ActiveJob[]) => void
}

export interface JobWatch {
  jobEnded(name: JobName, end: JobEnd, seconds: number): void
  stageEnded(name: JobName, stage: JobStage, seconds: number): void
}
