/** What a command takes, with all processes that it starts. */
import { spawn } from 'node:child_process'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface Taken {
  wallSeconds: number
  /** Of all processes. */
  cpuSeconds: number
  /** The most that all processes had at one time, in megabytes; null where the system does not tell. */
  memoryMb: number | null
}

const LOOK_MS = 250
const PAGE_BYTES = 4096

/** Rejects when the command fails. */
export async function measure(command: string, args: readonly string[], cwd: string): Promise<Taken> {
  const started = performance.now()
  // The shell tells the times of what it waited for, which the command's own processes are part of.
  const script = '"$@" >&2; code=$?; times; exit $code'
  const child = spawn('sh', ['-c', script, 'sh', command, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let told = ''
  child.stdout.on('data', (chunk) => (told += chunk))
  child.stderr.on('data', (chunk) => (said = (said + chunk).slice(-2000)))
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryOf(child.pid as number))
  }, LOOK_MS)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearInterval(watch)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${said}`)
  const wallSeconds = (performance.now() - started) / 1000
  return { wallSeconds, cpuSeconds: secondsIn(told), memoryMb: most === 0 ? null : most / 1_048_576 }
}

/** The second line of `times` is that of the children: `0m1.250s 0m0.100s`. */
function secondsIn(told: string): number {
  const line = told.trim().split('\n').at(-1) ?? ''
  const times = [...line.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  )
  return times.reduce((sum, one) => sum + one, 0)
}

/** Of a process and all below it. */
function memoryOf(root: number): number {
  const processes = new Map<number, { parent: number; bytes: number }>()
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      processes.set(Number(name), { parent: Number(fields[1]), bytes: Number(fields[21]) * PAGE_BYTES })
    } catch {
      // gone meanwhile
    }
  }
  const isBelow = (id: number): boolean => {
    for (let at = id, steps = 0; at > 1 && steps < 50; at = processes.get(at)?.parent ?? 0, steps++)
      if (at === root) return true
    return false
  }
  let bytes = 0
  for (const [id, process] of processes) if (isBelow(id)) bytes += process.bytes
  return bytes
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function sizeOf(folder: string): { files: number; bytes: number; htmlBytes: number; pages: number } {
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
