/**
 * The consuming side of the queue in one process: a few workers per job name, and one for jobs without attempts left.
 */
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
import { updateFairPriorities } from './fair-priorities.ts'
import { QUEUE_SCHEMA } from './install-queues.ts'
import {
  type ActiveJob,
  type JobEnd,
  type JobHandler,
  type JobHandlers,
  JobHandoverError,
  type JobStage,
  type WorkOptions,
} from './job-handler.ts'
import type { JobName, Jobs, SlotKind } from './jobs.ts'
import { EXHAUSTED_QUEUE, JOB_NAMES, JOBS } from './jobs.ts'
import { LEASE_SECONDS } from './lease-times.ts'

export interface WorkersDeps {
  boss: PgBoss
  log: Log
}

export interface Workers {
  stop(graceSeconds: number): Promise<void>
}

const FETCH = {
  includeMetadata: true,
  batchSize: 1,
  pollingIntervalSeconds: LEASE_SECONDS.poll,
  notifyPollingIntervalSeconds: LEASE_SECONDS.poll,
  heartbeatRefreshSeconds: LEASE_SECONDS.refresh,
} as const

interface RunningJob extends ActiveJob {
  abort: AbortController
}

/** Delay before a job that found no disk space is tried again. */
const DISK_RETRY_SECONDS = 15
// Time for an aborted handler to release its resources.
const ABORT_TIMEOUT_SECONDS = 1.5

/** Maximum characters of an error's message and of its stack. */
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
  await deps.boss.work(EXHAUSTED_QUEUE, FETCH, async ([job]: JobWithMetadata<object>[]) => {
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
  /** Stops starting workers. */
  close(): void
}

/** Idle workers that poll for jobs. Each queries the database once in a while. */
const SPARE_WORKERS = 2

/**
 * Workers for one kind of job. More are started while all of them are busy, and idle ones beyond SPARE are stopped.
 */
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
    if (isClosed || started - busy <= SPARE_WORKERS) return
    started--
    // It ends after its handler, which is calling this function, has returned.
    void boss.offWork(name, { id: workerId, wait: false })
  }
  return {
    async start() {
      while (started < Math.min(maxWorkers, SPARE_WORKERS)) await add()
    },
    close() {
      isClosed = true
    },
  }
}

interface WorkerDeps extends WorkersDeps, WorkOptions {
  gate: Pick<FairGate, 'enter'>
  /** Maximum number of running jobs of an organization. */
  maxPerGroup: number
}

interface Work<Name extends JobName> {
  name: Name
  handler: JobHandler<Name>
  begin(): void
  end(workerId: string): void
}

async function startWorker<Name extends JobName>(
  { boss, log, watch, limitRetrySeconds, isDiskShort, onActiveJobs: onHeld, gate, maxPerGroup }: WorkerDeps,
  running: Set<RunningJob>,
  { name, handler, begin, end: endWork }: Work<Name>,
): Promise<void> {
  let workerId = ''
  const reportActiveJobs = () =>
    onHeld?.([...running].map(({ name, id, retryCount }) => ({ name, id, retryCount })))
  workerId = await boss.work(
    name,
    { ...FETCH, groupConcurrency: maxPerGroup },
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
      /** An error message may quote a repository's server, so it only counts if this disk really is full. */
      const hasNoDiskSpace = async (error: unknown) =>
        isDiskFull(error, { byCode: true }) || (isDiskFull(error) && (await isDiskShort?.()) === true)
      using slot = createSlot(gate, ownersOf(job), signal)
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
        // There may be more jobs, so check now instead of at the next poll.
        boss.notifyWorker(workerId)
      }
    },
  )
}

/** Returns organization and project; none for a job enqueued by an older version. */
function ownersOf({ groupId, groupTier }: Pick<JobWithMetadata, 'groupId' | 'groupTier'>): string[] {
  return [groupId, groupTier].filter((owner) => typeof owner === 'string')
}

/** Updates the priorities. Otherwise, an organization's remaining jobs would wait behind newer jobs of others. */
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
  if (await endsWithin(drained, graceSeconds)) return
  await Promise.allSettled([...running].map((job) => handOver(boss, job)))
  for (const job of running) {
    log.info({ job: job.name, jobId: job.id }, 'job.handed_on')
    job.abort.abort(new JobHandoverError('the server is stopping'))
  }
  await endsWithin(drained, ABORT_TIMEOUT_SECONDS)
}

// Gives the job back before its handler is aborted, so that nothing the handler still reports counts. Adds an attempt
// instead of repeating the number, because an attempt's number must not be used twice.
async function handOver(boss: PgBoss, job: RunningJob): Promise<void> {
  await boss.getDb().executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET retry_limit = retry_limit + 1
      WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`,
    [job.name, job.id, job.retryCount],
  )
  await boss.fail(job.name, { id: job.id, retryCount: job.retryCount }, new Error('its server stopped'))
}

/** The job is not at fault, so it gets an additional attempt for the lost one. */
async function postponeWithoutAttempt(boss: PgBoss, job: RunningJob, seconds: number): Promise<void> {
  await boss.getDb().executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET retry_limit = retry_limit + 1, retry_delay = $4, retry_backoff = false
      WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'active'`,
    [job.name, job.id, job.retryCount, seconds],
  )
}

/**
 * Prepares an error for the library to store. It may quote text of authors, with characters that not every column
 * accepts.
 */
function storableError(error: unknown): Error {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return Object.assign(new Error(toStorableText(message.slice(0, MAX_MESSAGE_CHARACTERS))), {
    name,
    stack: toStorableText(stack.slice(0, MAX_MESSAGE_CHARACTERS)),
  })
}

/** Work that crashed its process may do so again, and so may an internal error that has already occurred twice. */
function needsDelay(error: unknown, { retryCount }: RunningJob): boolean {
  return error instanceof ProcessLimitError || (isInternalError(error) && retryCount > 0)
}

/** Delays the retry, and longer after the first, so that other jobs come first. */
export async function delayRetry(boss: PgBoss, job: ActiveJob, seconds: number): Promise<void> {
  // If the worker stalled, its lease has already expired and the job waits for its next attempt.
  await boss.getDb().executeSql(
    `UPDATE ${QUEUE_SCHEMA}.job SET retry_delay = $4::integer, retry_backoff = false,
        start_after = CASE WHEN state = 'retry' THEN now() + make_interval(secs => $4::integer) ELSE start_after END
      WHERE name = $1 AND id = $2 AND retry_count = $3 AND state IN ('active', 'retry')`,
    [job.name, job.id, job.retryCount, job.retryCount === 0 ? seconds : seconds * 2],
  )
}

async function endsWithin(work: Promise<unknown>, seconds: number): Promise<boolean> {
  const time = new AbortController()
  const late = delay(seconds * 1000, false, { signal: time.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    time.abort()
  }
}
