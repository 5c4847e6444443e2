/** Measures the time and memory of a command, including all processes that it starts. */
import { spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Command {
  name: string
  args: readonly string[]
  cwd: string
  env?: Readonly<Record<string, string>>
}

export interface Taken {
  wallSeconds: number
  /** Sum over all processes. */
  cpuSeconds: number
}

const LOOK_MS = 200
const PAGE_BYTES = 4096

/** Rejects when the command fails. */
export async function measure(command: Command): Promise<Taken> {
  const started = performance.now()
  const { ended } = start(command)
  const cpuSeconds = await ended
  return { wallSeconds: (performance.now() - started) / 1000, cpuSeconds }
}

/**
 * Returns the peak memory of all processes of the command in megabytes, with shared pages counted once, or null if the
 * system does not report it. Separate from the time measurement, because polling costs time.
 */
export async function measureMemory(command: Command): Promise<number | null> {
  const { pid, ended } = start(command)
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(pid))
  }, LOOK_MS)
  await ended.finally(() => clearInterval(watch))
  return most === 0 ? null : most / 1_048_576
}

/** `ended` resolves to the CPU time in seconds. */
function start({ name, args, cwd, env = {} }: Command): { pid: number; ended: Promise<number> } {
  // `times` reports the processes that the shell has waited for, including those of the command.
  const script = '"$@" >&2; code=$?; times; exit $code'
  const child = spawn('sh', ['-c', script, 'sh', name, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let told = ''
  child.stdout.on('data', (chunk) => (told += chunk))
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-2000)))
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(secondsIn(told))
      else reject(new Error(`${name} ${args.join(' ')} ended with ${code}:\n${said}`))
    })
  })
  return { pid: child.pid as number, ended }
}

/** Parses the second line of `times`, which is about child processes: `0m1.250s 0m0.100s`. */
function secondsIn(told: string): number {
  const line = told.trim().split('\n').at(-1) ?? ''
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  )
  return times.reduce((sum, one) => sum + one, 0)
}

/** Returns the bytes used by a process and its descendants. */
function memoryOf(root: number): number {
  const parents = new Map<number, number>()
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(name)
    if (parent !== null) parents.set(Number(name), parent)
  }
  const isBelow = (id: number): boolean => {
    for (let at = id, steps = 0; at > 1 && steps < 50; at = parents.get(at) ?? 0, steps++)
      if (at === root) return true
    return false
  }
  let bytes = 0
  for (const id of parents.keys()) if (isBelow(id)) bytes += bytesOf(id)
  return bytes
}

/** Returns null if the process has exited. */
function parentOf(id: string): number | null {
  const stat = textAt(`/proc/${id}/stat`)
  return stat === null ? null : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Counts shared pages proportionally (PSS), or fully if the system does not report PSS. */
function bytesOf(id: number): number {
  const share = /^Pss:\s+(\d+) kB$/m.exec(textAt(`/proc/${id}/smaps_rollup`) ?? '')?.[1]
  if (share !== undefined) return Number(share) * 1024
  return Number(textAt(`/proc/${id}/statm`)?.split(' ')[1] ?? 0) * PAGE_BYTES
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // gone meanwhile
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export interface Output {
  files: number
  bytes: number
  pages: number
  htmlBytes: number
}

export function sizeOf(folder: string): Output {
  const size = { files: 0, bytes: 0, htmlBytes: 0, pages: 0 }
  for (const path of globSync('**', { cwd: folder })) {
    const about = statSync(join(folder, path))
    if (!about.isFile()) continue
    size.files += 1
    size.bytes += about.size
    if (!path.endsWith('.html')) continue
    size.pages += 1
    size.htmlBytes += about.size
  }
  return size
}
