/**
 * Supervises the worker process for background jobs, so that requests are still answered if it runs out of memory or
 * is killed. It is spawned immediately and loads its code while the database starts. It is restarted when it crashes
 * or hangs, with increasing delays while it keeps crashing early, and always ends together with this process. Its log
 * is merged into this process's log.
 *
 * Settings and secrets are sent through a pipe, so that they do not show up in process listings.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { serialize } from 'node:v8'
import { entryFile } from '../base/files/program-files.ts'
import { createLineWriter, type Log } from '../base/log.ts'
import { dieWithParent, killProcessGroup, PARENT_PIPE_FD } from '../base/parent-pipe.ts'
import type { DatabaseAddress } from '../database/database.ts'
import type { ActiveJob } from '../queue/job-handler.ts'
import {
  WORKER_CHECK_INTERVAL_MS,
  WORKER_HEAP_MB,
  WORKER_MEMORY_BYTES,
  WORKER_SILENCE_TIMEOUT_MS,
} from '../sandbox/limits.ts'
import { readUsageSync } from '../sandbox/usage.ts'
import type { Config, Secrets } from './config/config.ts'
import type { Context } from './context.ts'
import type { MetricsSnapshot } from './metrics.ts'

/** First line sent through the pipe; a second line requests the worker to stop. */
export interface WorkerSettings {
  config: Config
  secrets: Secrets
  address: DatabaseAddress
}

/**
 * File descriptor of the control pipe. The worker writes empty lines as heartbeats, and its running jobs as a line of
 * JSON whenever they change.
 */
export const WORKER_PIPE = 4
/** File descriptor of the pipe to which the worker writes its metrics, a line of JSON each time. */
export const METRICS_PIPE = 5
export const METRICS_INTERVAL_MS = 5000
/** Maximum length of a line from a functioning worker. */
const MAX_LINE_CHARACTERS = 4 << 20
const MAX_TEXT_CHARACTERS = 2000

export interface WorkerLimits {
  memoryBytes: number
  /** Milliseconds without a heartbeat after which the worker is restarted. */
  silentMs: number
}

export interface WorkerProcess {
  isUp(): boolean
  /** Latest metrics of the worker; null before its first report and after it has ended. */
  metricsSnapshot(): MetricsSnapshot | null
  /** Waits for running jobs during the node's grace period, and releases the others. */
  stop(): Promise<void>
}

const MIN_RESTART_DELAY_MS = 500
const MAX_RESTART_DELAY_MS = 30_000
/** A worker that ran this long is restarted without delay. */
const STABLE_AFTER_MS = 60_000
/** Grace period of jobs plus the time to close everything. */
const STOP_TIMEOUT_MS = 6000

/** A worker that loads its code while waiting for its settings. Disposing ends it unless it was claimed. */
export interface WaitingWorker extends Disposable {
  /** Returns null if the worker has ended or was already claimed. */
  claim(): ChildProcess | null
}

export function startWaitingWorker(): WaitingWorker {
  flushCompileCache() // the worker loads the code that this process has just compiled
  let child: ChildProcess | null = spawnWorker()
  child.on('error', () => {}) // if it cannot be spawned, the next one is started later
  const claim = () => {
    const claimed = child
    child = null
    return claimed
  }
  return {
    claim() {
      const claimed = claim()
      return claimed?.pid === undefined || claimed.exitCode !== null || claimed.signalCode !== null
        ? null
        : claimed
    },
    [Symbol.dispose]() {
      const unclaimed = claim()
      if (unclaimed !== null) killProcessGroup(unclaimed)
    },
  }
}

/** Supervises a worker process, starting with `waiting`. Call once the node listens and its URL is known. */
export function superviseWorker(
  context: Context,
  secrets: Secrets,
  limits: WorkerLimits = { memoryBytes: WORKER_MEMORY_BYTES, silentMs: WORKER_SILENCE_TIMEOUT_MS },
  waiting: WaitingWorker | null = null,
): WorkerProcess {
  const { config, log, address, secret } = context
  const settings: WorkerSettings = {
    config: { ...config, role: 'worker', publicUrl: context.publicUrl() },
    secrets: { ...secrets, secret },
    address,
  }
  let current: ChildProcess | null = null
  let restart: NodeJS.Timeout | undefined
  let restartDelayMs = MIN_RESTART_DELAY_MS
  let isStopping = false
  let metricsSnapshot: MetricsSnapshot | null = null

  const start = () => {
    const began = performance.now()
    const child = waiting?.claim() ?? spawnWorker()
    sendSettings(child, settings)
    current = child
    forwardLog(child, log, config.logsAsText)
    readMetrics(child, (received) => {
      metricsSnapshot = received
    })
    const watch = watchWorker(child, limits, log)
    child.once('error', (error) => log.error({ error: error.message }, 'worker.not_started'))
    // Child processes of the worker may hold its pipes open, which would delay `close`.
    child.once('exit', () => killProcessGroup(child))
    child.once('close', (code, signal) => {
      // If the worker was killed from outside, its jobs were not the cause and are retried immediately.
      const { held: heldJobs, isKilled } = watch.end()
      if (isKilled || hasCrashed(code, signal)) delayRetries(context, heldJobs)
      current = null
      metricsSnapshot = null
      if (isStopping) return
      restartDelayMs =
        performance.now() - began > STABLE_AFTER_MS
          ? MIN_RESTART_DELAY_MS
          : Math.min(restartDelayMs * 2, MAX_RESTART_DELAY_MS)
      log.error({ code, signal, restartsInMs: restartDelayMs }, 'worker.ended')
      restart = setTimeout(start, restartDelayMs)
    })
  }
  start()

  return {
    isUp: () => current !== null,
    metricsSnapshot: () => metricsSnapshot,
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (current !== null) await stopWorker(current)
    },
  }
}

/** Kills a worker that is too large or hangs. `end` returns its running jobs and whether it was killed. */
function watchWorker(child: ChildProcess, limits: WorkerLimits, log: Log) {
  let lastHeartbeatAt: number | null = null // starting has no time limit
  let heldJobs: readonly ActiveJob[] = []
  let isKilled = false
  readLines(child, WORKER_PIPE, (line) => {
    lastHeartbeatAt = performance.now()
    if (line !== '') heldJobs = JSON.parse(line) as ActiveJob[]
  })
  const watch = setInterval(() => {
    const { memoryBytes = 0 } = readUsageSync(child.pid) ?? {}
    const silentMs = lastHeartbeatAt === null ? 0 : performance.now() - lastHeartbeatAt
    const isLarge = memoryBytes > limits.memoryBytes
    if (!isLarge && silentMs <= limits.silentMs) return
    log.error({ pid: child.pid, memoryBytes, silentMs }, isLarge ? 'worker.too_large' : 'worker.stuck')
    isKilled = true
    killProcessGroup(child)
  }, WORKER_CHECK_INTERVAL_MS)
  return {
    end() {
      clearInterval(watch)
      return { held: heldJobs, isKilled }
    },
  }
}

function delayRetries({ queue, config, log }: Context, heldJobs: readonly ActiveJob[]): void {
  if (heldJobs.length === 0) return
  queue
    .delayRetries(heldJobs, config.siteRetrySeconds)
    .catch((error: Error) => log.error({ error: error.message }, 'worker.jobs_not_delayed'))
}

async function stopWorker(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  getPipe(child, WORKER_PIPE).end('stop\n')
  const killTimer = setTimeout(() => killProcessGroup(child), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(killTimer)
}

function spawnWorker(): ChildProcess {
  const node = [`--max-old-space-size=${WORKER_HEAP_MB}`, entryFile('worker')]
  const { command, args } = dieWithParent(process.execPath, node, { isGroup: true })
  const child = spawn(command, args, {
    // A separate process group, so that Ctrl-C reaches the worker only once, through this process.
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  const parentPipe = getPipe(child, PARENT_PIPE_FD)
  const pipe = getPipe(child, WORKER_PIPE)
  for (const one of [parentPipe, pipe]) one.on('error', () => {}) // reported by the exit of the process
  child.once('exit', () => parentPipe.end('gone\n'))
  return child
}

function sendSettings(child: ChildProcess, settings: WorkerSettings): void {
  getPipe(child, WORKER_PIPE).write(`${serialize(settings).toString('base64')}\n`)
}

/** Merges the worker's log into this one. Other output, such as V8's memory reports, is logged as a line. */
function forwardLog({ stderr }: ChildProcess, log: Log, asText: boolean): void {
  if (stderr === null) return
  const write = createLineWriter({ asText })
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith('{')) write(line)
    else if (line !== '') log.warn({ text: line.slice(0, MAX_TEXT_CHARACTERS) }, 'worker.said')
  })
}

function readMetrics(child: ChildProcess, onSnapshot: (metricsSnapshot: MetricsSnapshot) => void): void {
  readLines(child, METRICS_PIPE, (line) => onSnapshot(JSON.parse(line) as MetricsSnapshot))
}

function readLines(child: ChildProcess, descriptor: number, onLine: (line: string) => void): void {
  const pipe = (child.stdio as (Readable | Writable | null)[])[descriptor] as Readable
  pipe.on('error', () => {})
  let text = ''
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    if (text.length > MAX_LINE_CHARACTERS) return void pipe.destroy()
    for (const line of lines) onLine(line)
  })
}

/** Returns whether the process itself failed: uncaught error, out of memory, or a crash of native code. */
function hasCrashed(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === null ? code !== 0 : CRASHES.has(signal)
}

const CRASHES: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
])

function getPipe(child: ChildProcess, descriptor: number): Writable {
  return child.stdio[descriptor] as Writable
}
