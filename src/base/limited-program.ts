/**
 * Runs external programs. Each dies with this process, and its time, memory and output are limited.
 *
 * Servers start programs from a small separate process, because a fork copies the page tables of the forking process.
 * In a server of 500 MB this blocked the event loop for 11 ms per call of git; in a process of 50 MB it takes less than
 * 1 ms. The small process ends with the server, and all programs end with it.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { entryFile } from './files/program-files.ts'
import { InternalError } from './internal-error.ts'
import { type DieWithParentOptions, dieWithParent, killProcessGroup, PARENT_PIPE_FD } from './parent-pipe.ts'

export interface ProgramRequest {
  program: string
  args: readonly string[]
  limits: DieWithParentOptions
  cwd: string
  env: Record<string, string>
  timeoutMs: number
  maxOutputBytes: number
  /** Standard input. */
  input?: string | Buffer | undefined
}

export interface ProgramResult {
  code: number | null
  output: Buffer
  /** Standard error, at most 64 kB. */
  stderr: string
}

export type ProgramEnd =
  | ({ kind: 'exited' } & ProgramResult)
  /** Ended by us, because it took too long, or wrote too much to standard output or standard error. */
  | { kind: 'stopped'; limit: 'time' | 'output' | 'messages' }
  /** Ended by a signal from outside, or by a limit of the operating system. */
  | { kind: 'killed'; signal: NodeJS.Signals }
  | { kind: 'not_started'; code: string | undefined }

export type RunnerMessage = { id: number } & ({ request: ProgramRequest } | { abort: true })
export type RunnerResponse = { id: number; end: ProgramEnd }

const MAX_STDERR_CHARACTERS = 64_000
/** Maximum output on standard error, which may be endless. */
const MAX_STDERR_BYTES = 16 << 20

/** Rejects only with the reason of the signal. */
export async function runLimited(request: ProgramRequest, signal?: AbortSignal): Promise<ProgramEnd> {
  signal?.throwIfAborted()
  const end = await (servers === 0 ? runInThisProcess(request, signal) : runInRunner(request, signal))
  signal?.throwIfAborted()
  return end
}

/** Runs the program as a child of this process. A program that is aborted counts as killed. */
export async function runInThisProcess(request: ProgramRequest, signal?: AbortSignal): Promise<ProgramEnd> {
  const { program, args, limits, cwd, env, timeoutMs, maxOutputBytes, input } = request
  const child = spawnLimited(program, args, limits, { cwd, env })
  const output: Buffer[] = []
  let outputBytes = 0
  let stderr = ''
  let stderrBytes = 0
  let stopped: ProgramEnd | undefined
  const stop = (limit: 'time' | 'output' | 'messages') => {
    stopped ??= { kind: 'stopped', limit }
    killGroup(child)
  }
  const onAbort = () => killGroup(child)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop('time'), timeoutMs)
  child.stdin?.on('error', () => undefined) // it may exit before reading all input; its exit code is more informative
  child.stdin?.end(input)
  child.stdout?.on('data', (chunk: Buffer) => {
    output.push(chunk)
    outputBytes += chunk.length
    if (outputBytes > maxOutputBytes) stop('output')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARACTERS) stderr += chunk.toString()
    stderrBytes += chunk.length
    if (stderrBytes > MAX_STDERR_BYTES) stop('messages')
  })
  const end = await new Promise<ProgramEnd>((resolve) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) => resolve({ kind: 'not_started', code }))
    child.once('close', (code, killedBy) =>
      resolve(
        killedBy === null
          ? { kind: 'exited', code, output: Buffer.concat(output), stderr }
          : { kind: 'killed', signal: killedBy },
      ),
    )
  })
  clearTimeout(timer)
  signal?.removeEventListener('abort', onAbort)
  return stopped ?? end
}

/** Number of servers in this process. */
let servers = 0
let runner: Runner | null = null
let lastId = 0

/** From now until the last server is disposed, programs are started from the small process. */
export function openProgramRunner(): Disposable {
  servers++
  return {
    [Symbol.dispose]() {
      if (--servers > 0) return
      runner?.child.disconnect()
      runner = null
    },
  }
}

interface Runner {
  child: ChildProcess
  waiting: Map<number, (end: ProgramEnd) => void>
}

async function runInRunner(request: ProgramRequest, signal?: AbortSignal): Promise<ProgramEnd> {
  runner ??= startRunner()
  const { child, waiting } = runner
  const id = ++lastId
  const abort = () => child.connected && child.send({ id, abort: true } satisfies RunnerMessage)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    return await new Promise<ProgramEnd>((resolve) => {
      waiting.set(id, resolve)
      child.channel?.ref()
      child.send({ id, request } satisfies RunnerMessage, () => undefined)
    })
  } finally {
    signal?.removeEventListener('abort', abort)
    waiting.delete(id)
    if (waiting.size === 0) child.channel?.unref()
  }
}

function startRunner(): Runner {
  const child = fork(entryFile('program-runner'), [], {
    // Detached, so that signals of the terminal reach only this process. No environment, because it contains secrets.
    ...{ detached: true, env: {}, execArgv: [], serialization: 'advanced' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.unref()
  const started: Runner = { child, waiting: new Map() }
  child.on('message', ({ id, end }: RunnerResponse) => started.waiting.get(id)?.(end))
  const onEnd = () => {
    if (runner === started) runner = null
    for (const resolve of started.waiting.values()) resolve({ kind: 'killed', signal: 'SIGKILL' })
  }
  child.once('disconnect', onEnd).once('error', onEnd)
  return started
}

/**
 * Starts a program that dies with this process. The program gets a separate process group, so that its child processes
 * are ended as well.
 */
export function spawnLimited(
  program: string,
  args: readonly string[],
  limits: DieWithParentOptions,
  options: { cwd: string; env: Record<string, string> },
): ChildProcess {
  const { command, args: all } = dieWithParent(program, args, limits)
  const stdio = ['pipe' as const, 'pipe' as const, 'pipe' as const, 'pipe' as const]
  const child = spawn(command, all, { detached: true, shell: false, stdio, ...options })
  // The pipe is missing if the process could not be started.
  const parentPipe = child.stdio[PARENT_PIPE_FD] as Socket | undefined
  parentPipe?.on('error', () => undefined).unref()
  child.once('exit', () => {
    // Child processes that the program left behind would keep its output open.
    killProcessGroup(child)
    // The child only counts as closed once this pipe is closed, so the pipe must keep the event loop alive until then.
    parentPipe?.ref().end('gone\n', () => parentPipe.destroy())
  })
  return child
}

/** Ends a program and its child processes. */
export function killGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) killProcessGroup(child)
}

/** Returns the result of a program that has exited. Throws InternalError if it was killed, or could not be started. */
export function requireExit(end: Exclude<ProgramEnd, { kind: 'stopped' }>): ProgramResult {
  if (end.kind === 'killed') throw killedError(end.signal)
  if (end.kind === 'not_started')
    throw new InternalError('the program could not be started', { cause: { code: end.code } })
  return end
}

export function killedError(signal: NodeJS.Signals): InternalError {
  return new InternalError('the program was stopped before it finished', { cause: signal })
}
