/** What the domains give to the queue: a function for each job name. */
import type { Log } from '../base/log.ts'
import type { Slot } from '../base/slot.ts'
import type { ExhaustedJob } from './exhausted-job.ts'
import type { JobName, Jobs } from './jobs.ts'

export interface JobContext {
  /** Aborted when the job is cancelled, taken over, past its deadline, or its server stops. */
  signal: AbortSignal
  /** 1 for the first; rises with each claim of the job and never repeats: what handlers fence with. */
  attempt: number
  jobId: string
  log: Log
  /** To be held while the work uses the processor. Given back at the end. */
  slot: Slot
  /** Whether an attempt ended by this error for want of room on the disk, and so is none. */
  lacksRoom(error: unknown): Promise<boolean>
  /** Does that work, and tells how long it took when it came to its end. */
  timed<Result>(stage: JobStage, work: () => Promise<Result>): Promise<Result>
}

/** The reason of a signal whose server stops: the job goes on elsewhere, and the attempt does not count. */
export class HandedOnError extends Error {
  override name = 'HandedOnError'
}

/** What most jobs are made of: reading the source, rendering it, storing what came out. */
type SiteStage = 'source' | 'render' | 'store'
/**
 * What jobs of the agent are made of: opening a turn, asking the model, its tools, saving a step, the check before
 * publishing, writing the commit, pushing it, asking the forge, recording the end.
 */
type AgentStage = 'open' | 'model' | 'tools' | 'save' | 'check' | 'commit' | 'push' | 'forge' | 'record'

export type JobStage = SiteStage | AgentStage

/** `abandoned`: cancelled, taken over, past its deadline, or its server stops. */
export type JobEnd = 'completed' | 'failed' | 'abandoned'

/** Returning ends the job; throwing fails the attempt, and a later one may follow. */
export type JobHandler<Name extends JobName> = (payload: Jobs[Name], context: JobContext) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

/** A job as this attempt has it. */
export interface HeldJob {
  name: JobName
  id: string
  retryCount: number
}

export interface WorkOptions {
  /** Slots of one kind that an organization may have in this process; 0 leaves jobs to others. */
  concurrency: number
  /** Jobs of one name that are at work at once in this process, those that wait among them; `concurrency` when left out. */
  atOnce?: (name: JobName) => number
  /**
   * Seconds before work whose process was ended by its limits is tried again, and work that a part of ours failed once
   * more; twice as many after later attempts.
   */
  limitRetrySeconds: number
  /**
   * Called when a job has no attempt left, also when every one ended in a dead process. Comes at least once, and again
   * until it returns: it writes `failed` where the row is not final yet.
   */
  onExhausted: (job: ExhaustedJob) => Promise<void>
  /** While it says so, no attempt begins: jobs wait for room, and lose no attempt by it. */
  isDiskShort?: () => Promise<boolean>
  watch?: JobWatch
  /** Told of all that are at work whenever one begins, before it does anything, and when one has ended. */
  onHeld?: (jobs: readonly HeldJob[]) => void
}

/** Told of what jobs took, in seconds. */
export interface JobWatch {
  jobEnded(name: JobName, end: JobEnd, seconds: number): void
  stageEnded(name: JobName, stage: JobStage, seconds: number): void
}
