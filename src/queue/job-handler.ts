/** Interface between the domains and the queue: a handler for each job name. */
import type { Log } from '../base/log.ts'
import type { Slot } from '../base/slot.ts'
import type { ExhaustedJob } from './exhausted-job.ts'
import type { JobName, Jobs } from './jobs.ts'

export interface JobContext {
  /** Aborted when the job is cancelled, taken over, past its deadline, or its server stops. */
  signal: AbortSignal
  /** Starts at 1, increases with each claim of the job and never repeats. Handlers use it as a fencing token. */
  attempt: number
  jobId: string
  log: Log
  /** Hold this while the work uses the processor. Released at the end. */
  slot: Slot
  /** Whether the error resulted from a full disk, in which case the attempt does not count. */
  lacksDiskSpace(error: unknown): Promise<boolean>
  /** Runs the work and reports its duration if it succeeds. */
  timed<Result>(stage: JobStage, work: () => Promise<Result>): Promise<Result>
}

/** Abort reason when the server stops: the job continues elsewhere, and the attempt does not count. */
export class JobHandoverError extends Error {
  override name = 'JobHandoverError'
}

/** Stages of most jobs: reading the source, rendering it, storing the result. */
type SiteStage = 'source' | 'render' | 'store'
/**
 * Stages of agent jobs: opening a turn, calling the model, its tools, saving a step, the check before publishing,
 * writing the commit, pushing it, calling the forge, recording the end.
 */
type AgentStage = 'open' | 'model' | 'tools' | 'save' | 'check' | 'commit' | 'push' | 'forge' | 'record'

export type JobStage = SiteStage | AgentStage

/** `abandoned`: cancelled, taken over, past its deadline, or its server stops. */
export type JobEnd = 'completed' | 'failed' | 'abandoned'

/** Returning completes the job. Throwing fails the attempt, and a later one may follow. */
export type JobHandler<Name extends JobName> = (payload: Jobs[Name], context: JobContext) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

/** A job as claimed by this attempt. */
export interface ActiveJob {
  name: JobName
  id: string
  retryCount: number
}

export interface WorkOptions {
  /** Slots of each kind that an organization may use in this process; 0 leaves jobs to other processes. */
  concurrency: number
  /**
   * Maximum number of running jobs per name in this process, including those that wait; defaults to `concurrency`.
   */
  maxConcurrent?: (name: JobName) => number
  /**
   * Delay in seconds before retrying work whose process exceeded its limits, or that failed repeatedly because of an
   * internal error. Doubled for later attempts.
   */
  limitRetrySeconds: number
  /**
   * Called when a job has no attempts left, including when each one ended with its process. Called at least once, and
   * again until it returns. It sets rows that are not final yet to `failed`.
   */
  onExhausted: (job: ExhaustedJob) => Promise<void>
  /** While true, no attempt begins. Jobs wait for disk space without losing an attempt. */
  isDiskShort?: () => Promise<boolean>
  watch?: JobWatch
  /** Called with all running jobs before a new one does anything, and after one has ended. */
  onActiveJobs?: (jobs: readonly ActiveJob[]) => void
}

/** Reports durations of jobs, in seconds. */
export interface JobWatch {
  jobEnded(name: JobName, end: JobEnd, seconds: number): void
  stageEnded(name: JobName, stage: JobStage, seconds: number): void
}
