/**
 * A separate process for one site, tree or pattern. It reads the untrusted content, so that its parent only
 * handles results. It can only access the calls in ports.ts, is monitored while it works, and is discarded
 * afterwards. If the content makes the process end early, the call rejects with ProcessLimitError, which
 * contains the reason and the file. If it ends for another reason, the call rejects with InternalError.
 */

import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { entryFile } from '../base/files/program-files.ts'
import { InternalError } from '../base/internal-error.ts'
import { type ProcessEnd, ProcessLimitError } from '../base/process-limit-error.ts'
import { createFaultRegistry } from './faults.ts'
import {
  CHECK_INTERVAL_MS,
  HEAP_SHARE,
  type ProcessLimits,
  SEMI_SPACE_MB,
  SITE_ADDRESS_SPACE_KB,
  SITE_PROCESSOR_SECONDS,
} from './limits.ts'
import { createPeer } from './peer.ts'
import { type PortTargets, servePorts, treeListing } from './ports.ts'
import { wasKilledForMemory } from './process-end.ts'
import { type RestrictedProcess, startRestrictedProcess } from './restricted-process.ts'
import { readUsageSync } from './usage.ts'

export interface Sandbox {
  /** Assigns the site; call once. */
  open(targets: PortTargets, limits: ProcessLimits): Promise<void>
  /**
   * Rejects with ProcessLimitError or InternalError, with the error of the called function, or with the reason of
   * the targets' signal.
   */
  call<Out>(name: string, input: unknown): Promise<Out>
  callPacked<Out>(name: string, input: unknown): Promise<{ value: Out; bytes: Uint8Array }>
  onProgress(listen: (progress: never) => void): void
  readonly isAlive: boolean
  [Symbol.asyncDispose](): Promise<void>
}

/** Maximum length of a line that marks the current file. */
const MAX_FILE_LINE_CHARACTERS = 4096

/** Starts a sandbox. `entry` runs inside and exports `open`, see inside/main.ts. `memoryMb` limits memory. */
export function startSandbox(entry: URL, { memoryMb }: { memoryMb: number }): Sandbox {
  const process = startRestrictedProcess({
    permissions: ['--allow-addons', '--allow-child-process', '--allow-worker'],
    args: [
      `--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`,
      `--max-semi-space-size=${SEMI_SPACE_MB}`,
      entryFile('sandbox'),
      entry.href,
    ],
    files: [fileURLToPath(entry)],
    addressSpace: SITE_ADDRESS_SPACE_KB,
    processorSeconds: SITE_PROCESSOR_SECONDS,
    isGroup: true,
    pipes: 1,
  })
  const state = createState(process)
  const handlers: Handlers = {}
  const peer = openPeer(state, handlers)
  trackCurrentFile(state)
  const gone = waitForExit(state, peer)
  const callPacked = <Out>(name: string, input: unknown) =>
    trackCall(state, () => peer.call(name, input) as Promise<{ value: Out; bytes: Uint8Array }>)

  return {
    async open(targets, limits) {
      Object.assign(state, { limits, targets })
      Object.assign(handlers, servePorts(targets), createReportHandlers(state))
      targets.signal.throwIfAborted()
      targets.signal.addEventListener('abort', process.kill, { once: true })
      await peer.call('open', treeListing(targets.tree))
    },
    call: async <Out>(name: string, input: unknown) => (await callPacked<Out>(name, input)).value,
    callPacked,
    onProgress(listener) {
      state.listen = listener
    },
    get isAlive() {
      return !state.hasExited && state.endReason === null
    },
    async [Symbol.asyncDispose]() {
      state.targets?.signal.removeEventListener('abort', process.kill)
      state.isClosed = true
      peer.close(new Error('the process was closed'))
      process.kill()
      await gone
    },
  }
}

type Peer = ReturnType<typeof createPeer>
type Handlers = Parameters<typeof createPeer>[0]['handlers']

function openPeer(state: State, handlers: Handlers): Peer {
  return createPeer({
    pipe: state.process.child.stdio[4] as unknown as Duplex,
    handlers,
    faultRegistry: createFaultRegistry('outside'),
    onInvalidMessage: () => end(state, 'crash'),
    // Requests for the usage of a child process are periodic, so they are no sign of progress.
    onActivity: (name) => name !== 'usage' && sign(state),
  })
}

/** Monitors the process until it ends, and rejects its pending calls with the reason. */
async function waitForExit(state: State, peer: Peer): Promise<void> {
  const watch = setInterval(() => look(state), CHECK_INTERVAL_MS)
  await state.process.exited
  state.hasExited = true
  clearInterval(watch)
  if (state.isClosed) return
  peer.close(state.targets?.signal.aborted ? state.targets.signal.reason : createEndError(state))
}

function createReportHandlers(state: State): Handlers {
  return {
    usage: ({ pid }: { pid: number }) => ({ value: readUsageSync(pid, state.process.pid) }),
    progress: (progress: never) => {
      state.listen(progress)
      return {}
    },
  }
}

/** Concurrent calls share one measurement of CPU time, which begins when the first of them starts. */
async function trackCall<Answer>(state: State, call: () => Promise<Answer>): Promise<Answer> {
  if (state.calls === 0) {
    state.began.cpu = readUsageSync(state.process.pid)?.cpuSeconds ?? 0
    sign(state)
  }
  state.calls += 1
  try {
    return await call()
  } finally {
    state.calls -= 1
  }
}

interface State {
  process: RestrictedProcess
  limits: ProcessLimits | null
  targets: PortTargets | null
  /** Number of running calls; without any, only memory is monitored. */
  calls: number
  /** CPU seconds at the start of the current work, and at the last sign of progress. */
  began: { cpu: number }
  sign: { cpu: number | null; wall: number }
  usedBytes: number
  /** File of the tree that the process last reported as being processed. */
  file: string | null
  endReason: ProcessEnd | null
  hasExited: boolean
  isClosed: boolean
  listen: (progress: never) => void
}

function createState(process: RestrictedProcess): State {
  return {
    process,
    limits: null,
    targets: null,
    calls: 0,
    began: { cpu: 0 },
    sign: { cpu: 0, wall: performance.now() },
    usedBytes: 0,
    file: null,
    endReason: null,
    hasExited: false,
    isClosed: false,
    listen: () => {},
  }
}

/** Records a sign of progress. Its CPU time is read at the next check, because signs are frequent. */
function sign(state: State): void {
  state.sign = { cpu: null, wall: performance.now() }
}

function look(state: State): void {
  if (state.limits === null || state.endReason !== null) return
  const exceeded = checkLimits(state, state.limits)
  if (exceeded !== null) end(state, exceeded)
}

function checkLimits(state: State, limits: ProcessLimits): ProcessEnd | null {
  const { process, calls, sign, began, targets } = state
  const usage = readUsageSync(process.pid)
  state.usedBytes = usage?.memoryBytes ?? state.usedBytes
  if (state.usedBytes > limits.memoryBytes) return 'memory'
  if (calls === 0) return null
  const cpu = usage?.cpuSeconds ?? 0
  sign.cpu ??= cpu
  if (cpu - sign.cpu > limits.silentCpuSeconds || cpu - began.cpu > limits.cpuSeconds) return 'processor_time'
  // Waiting for a slot does not count as being stuck.
  if (targets?.slot?.isHeld === false) sign.wall = performance.now()
  return performance.now() - sign.wall > limits.silentWallSeconds * 1000 ? 'wall_clock' : null
}

function end(state: State, why: ProcessEnd): void {
  state.endReason ??= why
  state.process.kill()
}

function createEndError(state: State): ProcessLimitError | InternalError {
  const { process, limits, targets, file, usedBytes } = state
  const errorOutput = process.stderrTail().slice(-500)
  const ending = process.ending()
  const why = state.endReason ?? findExceededLimit(state)
  targets?.log.warn(
    { why: why ?? ending, file, pid: process.pid, heldBytes: usedBytes, words: errorOutput },
    'site.process_ended',
  )
  if (why === null)
    return new InternalError('the process that reads the site stopped before it finished', {
      cause: errorOutput,
    })
  const limitBytes = ending === 'killed' ? usedBytes : (limits?.memoryBytes ?? 0)
  return new ProcessLimitError(why, describeLimit(why, { ...limits, limitBytes }, file))
}

function findExceededLimit({ process, limits, usedBytes }: State): ProcessEnd | null {
  const ending = process.ending()
  if (limits !== null && wasKilledForMemory(ending, usedBytes, limits.memoryBytes)) return 'memory'
  return ending === 'memory' || ending === 'processor_time' || ending === 'crash' ? ending : null
}

function describeLimit(
  why: ProcessEnd,
  { limitBytes, silentWallSeconds = 0 }: Partial<ProcessLimits> & { limitBytes: number },
  file: string | null,
): string {
  const where = file === null ? '' : `; the last file was ${file}`
  const look = `${file === null ? 'Check' : 'Check it'} for very large, deeply nested or self-referencing content`
  switch (why) {
    case 'memory': {
      const gigabytes = (limitBytes / 2 ** 30).toFixed(1).replace(/\.0$/, '')
      return `Reading this site requires more than ${gigabytes} GB of memory${where}. ${look}, or split the site.`
    }
    case 'processor_time':
      return `Reading this site exceeded the limit of processor time${where}. ${look}.`
    case 'wall_clock':
      return `Reading this site made no progress for ${silentWallSeconds / 60} minutes${where}. ${look}.`
    case 'crash':
      return `The process that read this site stopped unexpectedly${where}. ${look}.`
  }
}

/**
 * Reads marks from standard output: each line names the file being processed. Only files of the tree are accepted.
 */
function trackCurrentFile(state: State): void {
  let rest = ''
  state.process.child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = (lines.pop() ?? '').slice(-MAX_FILE_LINE_CHARACTERS)
    const named = lines.findLast((line) => state.targets?.tree.files.has(line))
    if (named === undefined) return
    state.file = named
    sign(state)
  })
}
