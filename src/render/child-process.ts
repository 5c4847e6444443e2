/**
 * A render child as a process: started with nothing it could misuse, watched while it works.
 *
 *   - no environment, no network, no files but the program's own, no processes, no workers (Node's permission model;
 *     isolated-vm is an addon, which that model does not bind, so it is one layer of two)
 *   - address space and processor time bounded by the system where there is `ulimit`
 *   - memory in use and processor time of the current page watched here; beyond a bound it is killed
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createFrameReader, encodeFrame } from './child/frames.ts'
import type { FromChild, ToChild } from './child/protocol.ts'

export interface RenderChild {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  send(message: ToChild): void
  /** Seconds of processor time since the start; null where the system does not tell. */
  cpuSeconds(): number | null
  /** Bytes of memory in use; null where the system does not tell. */
  memoryBytes(): number | null
  /** The end of what it wrote to standard error. */
  lastWords(): string
  kill(): void
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>
}

/** Kilobytes of address space: V8 reserves far more than it uses. */
const ADDRESS_SPACE = 12_000_000
/** Seconds of processor time, for a child that nobody watches any more. */
const PROCESSOR_SECONDS = 600
/** Characters. */
const LAST_WORDS = 2000
/** Megabytes. */
const HEAP = 768

export function startRenderChild(onMessage: (message: FromChild) => void): RenderChild {
  const { command, args } = commandLine()
  const child = spawn(command, args, {
    env: { TZ: 'UTC' },
    cwd: dirname(process.execPath),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const leash = child.stdio[3] as Writable
  leash.on('error', () => {})
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      leash.end('gone\n')
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  const kill = () => void child.kill('SIGKILL')
  const read = createFrameReader((message) => onMessage(message as FromChild))
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch {
      kill()
    }
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-LAST_WORDS)
  })
  // A child that was killed no longer reads: `gone` says so.
  child.stdin.on('error', () => {})
  return {
    pid: child.pid,
    send: (message) => void child.stdin.write(encodeFrame(message)),
    cpuSeconds: () => cpuSecondsOf(child),
    memoryBytes: () => memoryBytesOf(child),
    lastWords: () => said,
    kill,
    gone,
  }
}

function commandLine(): { command: string; args: string[] } {
  const here = dirname(fileURLToPath(import.meta.url))
  const ending = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const main = join(here, 'child', `main.${ending}`)
  const args = [
    '--no-node-snapshot', // isolated-vm needs it
    '--disable-warning=PERM0001',
    `--max-old-space-size=${HEAP}`,
    '--regexp-tier-up-ticks=10', // most patterns of a grammar run a few times only: not worth compiling at once
    '--permission',
    '--allow-addons',
    ...readablePaths(here).map((path) => `--allow-fs-read=${path}`),
    main,
  ]
  if (process.platform === 'win32') return { command: process.execPath, args }
  // A shell that does not know a limit goes on without it. The part in brackets stays behind and waits on a pipe that
  // this process holds: when the pipe ends without a word, this process is dead, and so shall be the child.
  const script = `
    ulimit -v ${ADDRESS_SPACE} 2>/dev/null
    ulimit -t ${PROCESSOR_SECONDS} 2>/dev/null
    ulimit -c 0 2>/dev/null
    (read word <&3 || kill -9 $$) </dev/null >/dev/null 2>&1 &
    exec "$0" "$@" 3<&-`
  return { command: '/bin/sh', args: ['-c', script, process.execPath, ...args] }
}

/** The program's own sources and packages, and a file that the loader of isolated-vm asks for. */
function readablePaths(here: string): string[] {
  const source = dirname(here)
  const root = dirname(source)
  const paths = ['render', 'base', 'contract'].map((name) => join(source, name) + sep)
  paths.push(join(source, 'package.json'), join(root, 'package.json'), '/etc/alpine-release')
  for (let folder = root; ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) paths.push(packages + sep, realpathSync(packages) + sep)
    if (folder === dirname(folder)) return [...new Set(paths)]
  }
}

/** From /proc: fields 14 and 15 are ticks of a hundredth of a second. */
function cpuSecondsOf(child: ChildProcess): number | null {
  const stat = readProc(child, 'stat')
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function memoryBytesOf(child: ChildProcess): number | null {
  const pages = readProc(child, 'statm')?.split(' ')[1]
  return pages === undefined ? null : Number(pages) * 4096
}

function readProc(child: ChildProcess, name: string): string | null {
  try {
    return readFileSync(`/proc/${child.pid}/${name}`, 'utf8')
  } catch {
    return null // not Linux, or gone already
  }
}
