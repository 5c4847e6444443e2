/**
 * The process of the background jobs beside the one that answers: it may run out of memory or be killed, and requests
 * are answered all the same. It is started at once, and loads its code while the database starts; it is started again
 * when it dies or stands still, later and later while it dies soon, and ends with this process in every case. Its log
 * goes where this one's does.
 *
 * Settings and secrets reach it by a pipe, so that they stand in no list of processes.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { serialize } from 'node:v8'
import { entryFile } from '../base/files/program-files.ts'
import { LEASH, leashed } from '../base/leash.ts'
import { createLineWriter, type Log } from '../base/log.ts'
import type { DatabaseAddress } from '../database/database.ts'
import type { HeldJob } from '../queue/job-handler.ts'
import { WORKER_HEAP_MB, WORKER_MEMORY, WORKER_SILENT_MS, WORKER_WATCH_MS } from '../sandbox/limits.ts'
import { usageNow } from '../sandbox/usage.ts'
import type { Config, Secrets } from './config/config.ts'
import type { Context } from './context.ts'
import type { Figures } from './metrics.ts'

/** The first line that comes through its pipe; a second one asks it to stop. */
export interface WorkerSettings {
  config: Config
  secrets: Secrets
  address: DatabaseAddress
}

/**
 * File descriptor of the pipe. The worker gives signs through it: empty lines, and the jobs that are at work whenever they
 * change, as a line of JSON.
 */
export const WORKER_PIPE = 4
/** File descriptor of the pipe through which the worker hands up its figures, a line of JSON each time. */
export const FIGURES_PIPE = 5
export const FIGURES_EVERY_MS = 5000
/** More is no line of a worker in its senses. */
const LONGEST_LINE = 4 << 20
/** Characters of what it says outside of its log. */
const LONGEST_TEXT = 2000

export interface WorkerLimits {
  memoryBytes: number
  /** Milliseconds without a sign of its event loop. */
  silentMs: number
}

export interface WorkerProcess {
  isUp(): boolean
  /** What it counted last; null before it has said so, and when it is gone. */
  figures(): Figures | null
  /** Lets what runs end within the grace of a node, hands on the rest. */
  stop(): Promise<void>
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** One that lived this long is started again without a wait. */
const SOUND_MS = 60_000
/** The grace of its jobs, and what it takes to close everything. */
const STOP_MS = 6000

/** A worker that loads its code and waits for its settings. Disposing it ends one that nobody has taken. */
export interface WaitingWorker extends Disposable {
  /** Null when it is gone, or taken. */
  take(): ChildProcess | null
}

export function startWaitingWorker(): WaitingWorker {
  flushCompileCache() // it loads what this process has just compiled
  let child: ChildProcess | null = spawnWorker()
  child.on('error', () => {}) // the next one is started when it is not there
  const take = () => {
    const taken = child
    child = null
    return taken
  }
  return {
    take() {
      const taken = take()
      return taken?.pid === undefined || taken.exitCode !== null || taken.signalCode !== null ? null : taken
    },
    [Symbol.dispose]() {
      const untaken = take()
      if (untaken !== null) killGroup(untaken)
    },
  }
}

/** The node listens already: its address is part of the settings. `waiting` is the first worker. */
export function superviseWorker(
  context: Context,
  secrets: Secrets,
  limits: WorkerLimits = { memoryBytes: WORKER_MEMORY, silentMs: WORKER_SILENT_MS },
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
  let waitMs = FIRST_WAIT_MS
  let isStopping = false
  let figures: Figures | null = null

  const start = () => {
    const began = performance.now()
    const child = waiting?.take() ?? spawnWorker()
    giveSettings(child, settings)
    current = child
    passOn(child, log, config.logsAsText)
    readFigures(child, (told) => {
      figures = told
    })
    const watch = watchWorker(child, limits, log)
    child.once('error', (error) => log.error({ error: error.message }, 'worker.not_started'))
    // What it had started may hold on to its pipes, whose end is awaited below.
    child.once('exit', () => killGroup(child))
    child.once('close', (code, signal) => {
      // Whoever ends it from outside says nothing about its jobs: they move on at once.
      const { held, isKilled } = watch.end()
      if (isKilled || hasCrashed(code, signal)) delayRetries(context, held)
      current = null
      figures = null
      if (isStopping) return
      waitMs = performance.now() - began > SOUND_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS)
      log.error({ code, signal, restartsInMs: waitMs }, 'worker.ended')
      restart = setTimeout(start, waitMs)
    })
  }
  start()

  return {
    isUp: () => current !== null,
    figures: () => figures,
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (current !== null) await stopWorker(current)
    },
  }
}

/** Ends a worker that is too large or has stood still. `end` tells the jobs that it held, and whether it was killed. */
function watchWorker(child: ChildProcess, limits: WorkerLimits, log: Log) {
  let beat: number | null = null // starting takes as long as it takes
  let held: readonly HeldJob[] = []
  let isKilled = false
  readLines(child, WORKER_PIPE, (line) => {
    beat = performance.now()
    if (line !== '') held = JSON.parse(line) as HeldJob[]
  })
  const watch = setInterval(() => {
    const { memoryBytes = 0 } = usageNow(child.pid) ?? {}
    const silentMs = beat === null ? 0 : performance.now() - beat
    const isLarge = memoryBytes > limits.memoryBytes
    if (!isLarge && silentMs <= limits.silentMs) return
    log.error({ pid: child.pid, memoryBytes, silentMs }, isLarge ? 'worker.too_large' : 'worker.stuck')
    isKilled = true
    killGroup(child)
  }, WORKER_WATCH_MS)
  return {
    end() {
      clearInterval(watch)
      return { held, isKilled }
    },
  }
}

function delayRetries({ queue, config, log }: Context, held: readonly HeldJob[]): void {
  if (held.length === 0) return
  queue
    .delayRetries(held, config.siteRetrySeconds)
    .catch((error: Error) => log.error({ error: error.message }, 'worker.jobs_not_delayed'))
}

async function stopWorker(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  pipeOf(child, WORKER_PIPE).end('stop\n')
  const late = setTimeout(() => killGroup(child), STOP_MS)
  await ended
  clearTimeout(late)
}

function spawnWorker(): ChildProcess {
  const node = [`--max-old-space-size=${WORKER_HEAP_MB}`, entryFile('worker')]
  const { command, args } = leashed(process.execPath, node, { isGroup: true })
  const child = spawn(command, args, {
    // Of its own, so that Ctrl-C reaches it once, through this process.
    detached: true,
    stdio: ['ignore', 'inherit', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  const leash = pipeOf(child, LEASH)
  const pipe = pipeOf(child, WORKER_PIPE)
  for (const one of [leash, pipe]) one.on('error', () => {}) // its end is told by the process
  child.once('exit', () => leash.end('gone\n'))
  return child
}

function giveSettings(child: ChildProcess, settings: WorkerSettings): void {
  pipeOf(child, WORKER_PIPE).write(`${serialize(settings).toString('base64')}\n`)
}

/** Its log joins this one's; what else it says, of its memory for one, becomes a line of it. */
function passOn({ stderr }: ChildProcess, log: Log, asText: boolean): void {
  if (stderr === null) return
  const write = createLineWriter({ asText })
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith('{')) write(line)
    else if (line !== '') log.warn({ text: line.slice(0, LONGEST_TEXT) }, 'worker.said')
  })
}

function readFigures(child: ChildProcess, told: (figures: Figures) => void): void {
  readLines(child, FIGURES_PIPE, (line) => told(JSON.parse(line) as Figures))
}

function readLines(child: ChildProcess, descriptor: number, told: (line: string) => void): void {
  const pipe = (child.stdio as (Readable | Writable | null)[])[descriptor] as Readable
  pipe.on('error', () => {})
  let text = ''
  pipe.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    if (text.length > LONGEST_LINE) return void pipe.destroy()
    for (const line of lines) told(line)
  })
}

/** By itself: an error that nobody caught, no memory left, a fault of the machine code. */
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

function pipeOf(child: ChildProcess, descriptor: number): Writable {
  return child.stdio[descriptor] as Writable
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
