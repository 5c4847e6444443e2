/** Measures the throughput of a server under wrk, and its CPU time. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Figures {
  perSecond: number
  p99: number
  /** CPU microseconds per request, the figure that other load on the machine affects least. */
  cpu: number
}

interface Load {
  url: string
  /** Process id of the server. */
  pid: number
  seconds: number
  connections: number
  /** File of a wrk script, which chooses the requests instead of `url`. */
  script?: string
}

/** Throws if `isRight` rejects the output of wrk. */
export async function loadOf(
  { url, pid, seconds, connections, script }: Load,
  headers: readonly string[],
  isRight: (said: string) => boolean = (said) => !/Non-2xx/.test(said),
): Promise<Figures> {
  const flags = headers.flatMap((header) => ['-H', header])
  if (script !== undefined) flags.push('-s', script)
  const before = await cpuOf(pid)
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', ...flags, url])
  if (!isRight(stdout)) throw new Error(stdout)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  const cpu = ((await cpuOf(pid)) - before) / requests
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const [, value, unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  return { perSecond, p99: Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN), cpu }
}

/** Returns the CPU microseconds of all threads of a process. The system counts in hundredths of a second. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10_000
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
