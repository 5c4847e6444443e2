/**
 * Records the lifetime and CPU time of every process that a server starts. Each piece of work declares how much CPU
 * time its processes may use; they must end soon after it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readUsageSync } from '../../src/sandbox/usage.ts'
import { descendants } from './processes.ts'

export interface ProcessWatch {
  /** Attributes processes that start during `work` to it, and to any work that runs concurrently. */
  during<Out>(cpuSeconds: number, work: () => Promise<Out>): Promise<Out>
  /** Waits for the last processes to end. Returns all that started, with a fault if they exceeded their limits. */
  end(): Promise<SeenProcess[]>
}

/** Times are in seconds. */
export interface SeenProcess {
  pid: number
  command: string
  lived: number
  cpu: number
  fault: string | null
}

interface Work {
  cpuSeconds: number
  ended: number | null
}

interface Seen {
  pid: number
  command: string
  began: number
  last: number
  cpu: number
  /** The work in progress when the process was first seen. */
  works: readonly Work[]
}

const LOOK_MS = 250
/** Seconds that processes may take to end after their work, on a machine shared with other programs. */
const GRACE = 10
/** Processes of agent tools wait a minute for the next job. */
const KEPT = /src\/features\/agent\/(?:loop\/tool|code\/code)-work\.ts|(?:^|\s)git cat-file --batch/
const KEPT_SECONDS = 60
/** Seconds of CPU time that may pass between two checks by the server's own watchdogs. */
const CPU_GRACE = 5

export function watchProcesses(root: number): ProcessWatch {
  const before = new Set(descendants(root).map(({ pid }) => pid))
  const works = new Set<Work>()
  const running = new Map<number, Seen>()
  const gone: Seen[] = []
  const look = () => {
    const now = performance.now() / 1000
    const there = new Map(descendants(root).map(({ pid, command }) => [pid, command]))
    for (const [pid, seen] of running) {
      // Compare PIDs only: a process can start as a shell with another command.
      if (there.has(pid)) continue
      running.delete(pid)
      gone.push(seen)
    }
    for (const [pid, command] of there) {
      if (before.has(pid)) continue
      const seen = running.get(pid) ?? { pid, command, began: now, last: now, cpu: 0, works: [...works] }
      seen.command = command
      seen.last = now
      seen.cpu = Math.max(seen.cpu, readUsageSync(pid)?.cpuSeconds ?? 0)
      running.set(pid, seen)
    }
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    async during(cpuSeconds, work) {
      const one: Work = { cpuSeconds, ended: null }
      works.add(one)
      try {
        return await work()
      } finally {
        look()
        one.ended = performance.now() / 1000
        works.delete(one)
      }
    },
    async end() {
      clearInterval(timer)
      const until = performance.now() / 1000 + GRACE
      const isWaiting = () => running.values().some(({ command }) => !KEPT.test(command))
      for (look(); isWaiting() && performance.now() / 1000 < until; look()) await sleep(LOOK_MS)
      const isLate = (seen: Seen) => !KEPT.test(seen.command) || faultOf(seen) !== null
      const left = [...running.values()].filter(isLate).map((seen) => told(seen, 'is still there'))
      return [...left, ...gone.map((seen) => told(seen, faultOf(seen)))]
    },
  }
}

function told({ pid, command, began, last, cpu }: Seen, fault: string | null): SeenProcess {
  return { pid, command: command.slice(-200), lived: last - began, cpu, fault }
}

function faultOf({ command, works, last, cpu }: Seen): string | null {
  const over = Math.max(0, ...works.map(({ ended }) => ended ?? Number.POSITIVE_INFINITY))
  if (last > over + GRACE + (KEPT.test(command) ? KEPT_SECONDS : 0))
    return `was there ${(last - over).toFixed(1)} s after its work`
  const most = Math.max(0, ...works.map(({ cpuSeconds }) => cpuSeconds))
  return cpu > most + CPU_GRACE ? `took ${cpu.toFixed(1)} s of processor time, not ${most.toFixed(1)}` : null
}
