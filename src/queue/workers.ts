/** Runs jobs in one process: several workers per job name, and one for jobs without attempts left. */
import { setTimeout as delay } from 'node:timers/promises'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { createWorkGate, type FairGate } from '../base/fair-gate.ts'
import { isDiskFull } from '../base/files/disk-full.ts'
import { isInternalError } from '../base/internal-error.ts'
import type { Log } from '../base/log.ts'
import { ProcessLimitError } from '../base/process-limit-error.ts'
import { createSlot } from '../base/slot.ts'
import { toStorableText } from '../base/text/storable.ts'
import { describeFailure, type ExhaustedJob } from './exhausted-job.ts'
import {
  type ActiveJob,
  type JobEnd,
  type JobHandler,
  type JobHandlers,
  JobHandoverError,
  type JobStage,
  type WorkOptions,
} from './job-handler.ts'
import type { JobName, Jobs, SlotKind } from './job-settings.ts'
import { EXHAUSTED_QUEUE, JOB_NAMES, JOBS } from './job-settings.ts'
import { addAttempt, setRetryDelay, updateFairPriorities } from './job-table.ts'
import { LEASE_SECONDS } from './lease-times.ts'

export interface WorkersDeps {
  boss: PgBoss
  log: Log
}

export interface Workers {
  stop(graceSeconds: number): Promise<void>
}

const FETCH_OPTIONS = {
  includeMetadata: true,
  batchSize: 1,
  pollingIntervalSeconds: LEASE_SECONDS.poll,
  notifyPollingIntervalSeconds: LEASE_SECONDS.poll,
  heartbeatRefreshSeconds: LEASE_SECONDS.refresh,
} as const

interface RunningJob extends ActiveJob {
  abort: AbortController
}

const DISK_RETRY_SECONDS = 15
// Time for an aborted handler to release its resources.
const ABORT_TIMEOUT_SECONDS = 1.5

const MAX_MESSAGE_CHARACTERS = 4000

export async function startWorkers(
  deps: WorkersDeps,
  handlers: JobHandlers,
  options: WorkOptions,
): Promise<Workers> {
  const running = new Set<RunningJob>()
  const gates: Record<SlotKind, FairGate> = {
    export: createWorkGate(options.concurrency),
    deployment: createWorkGate(options.concurrency),
  }
  const poolOf = <Name extends JobName>(name: Name) => {
    const { slots, share } = JOBS[name]
    const maxWorkers = maxConcurrency(name, options)
    const gate = slots === null ? NO_GATE : gates[slots]
    const maxPerGroup = Math.max(1, Math.floor(maxWorkers * share))
    return createPool({ ...deps, maxWorkers }, name, (begin, end) =>
      startWorker({ ...deps, ...options, gate, maxPerGroup }, running, {
        name,
        handler: handlers[name],
        begin,
        end,
      }),
    )
  }
  const pools = JOB_NAMES.map((name) => poolOf(name))
  for (const pool of pools) await pool.start()
  await deps.boss.work(EXHAUSTED_QUEUE, FETCH_OPTIONS, async ([job]: JobWithMetadata<object>[]) => {
    if (job !== undefined) await reportExhausted(deps.log, job, options.onExhausted)
  })
  return {
    async stop(graceSeconds) {
      for (const pool of pools) pool.close()
      await stopWorkers(deps, running, graceSeconds)
    },
  }
}

function maxConcurrency(
  name: JobName,
  { concurrency, maxConcurrent: atOnce = () => concurrency }: WorkOptions,
): number {
  return concurrency > 0 ? atOnce(name) : 0
}

const NO_GATE: Pick<FairGate, 'enter'> = { enter: async () => ({ [Symbol.dispose]() {} }) }

interface Pool {
  start(): Promise<void>
  close(): void
}

/** Maximum number of idle workers. Limited, because each one polls the database. */
const MAX_IDLE_WORKERS = 2

/** Workers of one job name. Adds one when all are busy and stops idle ones beyond MAX_IDLE_WORKERS. */
function createPool(
  { boss, log, maxWorkers }: WorkersDeps & { maxWorkers: number },
  name: JobName,
  startOne: (begin: () => void, end: (workerId: string) => void) => Promise<void>,
): Pool {
  let started = 0
  let busy = 0
  let isClosed = false
  const add = async () => {
    started++
    await startOne(begin, end)
  }
  const begin = () => {
    busy++
    if (isClosed || busy < started || started >= maxWorkers) return
    add().catch((error: Error) => {
      started--
      log.error({ error: error.message }, 'queue.error')
    })
  }
  const end = (workerId: string) => {
    busy--
    if (isClosed || started - busy <= MAX_IDLE_WORKERS) return
    started--
    // Ends the worker after the handler that called this function has returned.
    void boss.offWork(name, { id: workerId, wait: false })
  }
  return {
    async start() {
      while (started < Math.min(maxWorkers, MAX_IDLE_WORKERS)) await add()
    },
    close() {
      isClosed = true
    },
  }
}

interface WorkerDeps extends WorkersDeps, WorkOptions {
  gate: Pick<FairGate, 'enter'>
  maxPerGroup: number
}

interface Work<Name extends JobName> {
  name: Name
  handler: JobHandler<Name>
  begin(): void
  end(workerId: string): void
}

async function startWorker<Name extends JobName>(
  { boss, log, watch, limitRetrySeconds, isDiskShort, onActiveJobs: onActive, gate, maxPerGroup }: WorkerDeps,
  running: Set<RunningJob>,
  { name, handler, begin, end: endWork }: Work<Name>,
): Promise<void> {
  let workerId = ''
  const reportActiveJobs = () =>
    onActive?.([...running].map(({ name, id, retryCount }) => ({ name, id, retryCount })))
  workerId = await boss.work(
    name,
    { ...FETCH_OPTIONS, groupConcurrency: maxPerGroup },
    async ([job]: JobWithMetadata<Jobs[Name]>[]) => {
      if (job === undefined) return
      const entry: RunningJob = { name, id: job.id, retryCount: job.retryCount, abort: new AbortController() }
      const attempt = job.retryCount + 1
      const jobLog = log.child({ job: name, jobId: job.id, attempt })
      const signal = AbortSignal.any([job.signal, entry.abort.signal])
      const timed = async <Result>(stage: JobStage, work: () => Promise<Result>) => {
        const began = performance.now()
        const result = await work()
        watch?.stageEnded(name, stage, (performance.now() - began) / 1000)
        return result
      }
      if (await isDiskShort?.()) {
        jobLog.warn({ secondsToNext: DISK_RETRY_SECONDS }, 'job.waits_for_room')
        await postponeWithoutAttempt(boss, entry, DISK_RETRY_SECONDS)
        throw new Error('the disk is full')
      }
      /**
       * If only the message of an error indicates a full disk, checks the disk, because the message may quote a git
       * server's error.
       */
      const hasNoDiskSpace = async (error: unknown) =>
        isDiskFull(error, { byCode: true }) || (isDiskFull(error) && (await isDiskShort?.()) === true)
      using slot = createSlot(gate, listJobOwners(job), signal)
      const startedAt = performance.now()
      let end: JobEnd = 'completed'
      running.add(entry)
      begin()
      reportActiveJobs()
      jobLog.info({}, 'job.started')
      try {
        await handler(job.data, {
          signal,
          attempt,
          jobId: job.id,
          log: jobLog,
          slot,
          timed,
          lacksDiskSpace: hasNoDiskSpace,
        })
        jobLog.info({}, 'job.ended')
      } catch (error) {
        end = signal.aborted ? 'abandoned' : 'failed'
        if (signal.aborted) jobLog.info({ reason: String(signal.reason) }, 'job.abandoned')
        else jobLog[isInternalError(error) ? 'error' : 'warn'](describeError(error), 'job.failed')
        if (signal.aborted) throw storableError(error)
        if (await hasNoDiskSpace(error)) await postponeWithoutAttempt(boss, entry, DISK_RETRY_SECONDS)
        else if (needsDelay(error, entry)) await delayRetry(boss, entry, limitRetrySeconds)
        throw storableError(error)
      } finally {
        running.delete(entry)
        endWork(workerId)
        reportActiveJobs()
        watch?.jobEnded(name, end, (performance.now() - startedAt) / 1000)
        await updateGroupPriorities({ boss, log }, name, job)
        // Fetches the next job immediately instead of at the next poll.
        boss.notifyWorker(workerId)
      }
    },
  )
}

/** Returns organization and project, or nothing for a job of an older version. */
function listJobOwners({ groupId, groupTier }: Pick<JobWithMetadata, 'groupId' | 'groupTier'>): string[] {
  return [groupId, groupTier].filter((owner) => typeof owner === 'string')
}

/** Updates the priorities, so that the organization's next jobs do not wait behind newer jobs of others. */
async function updateGroupPriorities(
  { boss, log }: WorkersDeps,
  name: JobName,
  { groupId }: Pick<JobWithMetadata, 'groupId'>,
): Promise<void> {
  if (typeof groupId !== 'string') return
  await updateFairPriorities(boss.getDb(), name, groupId).catch((error: Error) =>
    log.error({ error: error.message }, 'queue.error'),
  )
}

function describeError(error: unknown): { error: string; cause?: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  const { stack = error.message, cause } = error
  return { error: stack, ...(cause === undefined ? {} : { cause: String(cause) }) }
}

async function reportExhausted(
  log: Log,
  job: JobWithMetadata<object>,
  onExhausted: WorkOptions['onExhausted'],
): Promise<void> {
  const exhausted = {
    name: job.sourceName,
    payload: job.data,
    jobId: job.sourceId,
    attempts: (job.sourceRetryCount ?? 0) + 1,
    reason: describeFailure(job.sourceOutput),
  } as ExhaustedJob
  log.error({ job: exhausted.name, jobId: exhausted.jobId, reason: exhausted.reason }, 'job.exhausted')
  await onExhausted(exhausted)
}

async function stopWorkers(
  { boss, log }: WorkersDeps,
  running: Set<RunningJob>,
  graceSeconds: number,
): Promise<void> {
  const drained = Promise.all([...JOB_NAMES, EXHAUSTED_QUEUE].map((name) => boss.offWork(name)))
  if (await settlesWithin(drained, graceSeconds)) return
  await Promise.allSettled([...running].map((job) => handOver(boss, job)))
  for (const job of running) {
    log.info({ job: job.name, jobId: job.id }, 'job.handed_on')
    job.abort.abort(new JobHandoverError('the server is stopping'))
  }
  await settlesWithin(drained, ABORT_TIMEOUT_SECONDS)
}

// Gives the job back before aborting the handler, so that results of the handler no longer count.
async function handOver(boss: PgBoss, job: RunningJob): Promise<void> {
  await addAttempt(boss.getDb(), job)
  await boss.fail(job.name, { id: job.id, retryCount: job.retryCount }, new Error('its server stopped'))
}

/** Delays a job that failed for external reasons, and allows an additional attempt. */
async function postponeWithoutAttempt(boss: PgBoss, job: RunningJob, seconds: number): Promise<void> {
  await addAttempt(boss.getDb(), job)
  await setRetryDelay(boss.getDb(), job, seconds)
}

/**
 * Prepares an error for the database. The message may quote text with characters that not all columns accept.
 */
function storableError(error: unknown): Error {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return Object.assign(new Error(toStorableText(message.slice(0, MAX_MESSAGE_CHARACTERS))), {
    name,
    stack: toStorableText(stack.slice(0, MAX_MESSAGE_CHARACTERS)),
  })
}

/** Returns whether a retry is likely to fail again: after a crash, or after a repeated internal error. */
function needsDelay(error: unknown, { retryCount }: RunningJob): boolean {
  return error instanceof ProcessLimitError || (isInternalError(error) && retryCount > 0)
}

/** Delays the retry to let other jobs run first. Doubles the delay after the first retry. */
export async function delayRetry(boss: PgBoss, job: ActiveJob, seconds: number): Promise<void> {
  await setRetryDelay(boss.getDb(), job, job.retryCount === 0 ? seconds : seconds * 2)
}

async function settlesWithin(work: Promise<unknown>, seconds: number): Promise<boolean> {
  const time = new AbortController()
  const late = delay(seconds * 1000, false, { signal: time.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    time.abort()
  }
}
