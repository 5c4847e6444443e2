/** Lists processes of this machine, for tests that none is left behind. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readProcessStart } from '../../src/base/process-state.ts'
import { loadFactor, until } from './until.ts'

export interface SeenProcess {
  pid: number
  /** Start time, which distinguishes it from a later process with the same PID. */
  start: string
  command: string
}

/** Returns the process and its descendants, without those that have ended. */
export async function processTree(root: number): Promise<SeenProcess[]> {
  const rows = process.platform === 'linux' ? seenInProc() : await listedByPs()
  const wanted = rows.filter(({ pid }) => pid === root).concat(below(rows, root))
  const found: SeenProcess[] = []
  for (const { pid, command } of wanted) {
    const start = await readProcessStart(pid)
    if (start !== null) found.push({ pid, start, command })
  }
  return found
}

/** Returns the processes of the embedded PostgreSQL started by `starter`, without the shell that watches them. */
export async function postgresProcesses(starter: number): Promise<SeenProcess[]> {
  return (await processTree(starter)).filter(({ command }) => /^(\S*\/postgres -D |postgres: )/.test(command))
}

/** Sends a signal, ignoring processes that have ended. */
export function signalAll(processes: readonly SeenProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Waits until all have ended. Returns those still running after `seconds`, which is extended on a busy machine. */
export async function stillThere(processes: readonly SeenProcess[], seconds: number): Promise<SeenProcess[]> {
  const began = Date.now()
  for (let left = [...processes]; ; await sleep(100)) {
    const states = await Promise.all(left.map(({ pid }) => readProcessStart(pid)))
    left = left.filter(({ start }, index) => states[index] === start)
    if (left.length === 0 || Date.now() - began > seconds * 1000 * loadFactor()) return left
  }
}

export interface Running {
  pid: number
  parent: number
  command: string
}

/** Returns all descendants of a process, nearest first. Linux only. */
export function descendants(root: number = process.pid): Running[] {
  return below(seenInProc(), root)
}

function below(all: readonly Running[], root: number): Running[] {
  const found: Running[] = []
  for (let parents = [root]; parents.length > 0; ) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map(({ pid }) => pid)
  }
  return found
}

/** Reads `/proc`, since minimal Linux systems have no `ps`. */
function seenInProc(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, parent] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        // Skip zombies whose threads have all ended: they only wait for their parent to collect the exit status.
        if (state === 'Z' && readdirSync(`/proc/${name}/task`).length <= 1) return []
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return [{ pid: Number(name), parent: Number(parent), command }]
      } catch {
        return [] // gone meanwhile
      }
    })
}

async function listedByPs(): Promise<Running[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? []
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

/** Waits for a descendant Node process that runs the file, and returns its PID. */
export async function findProcess(file: string, root?: number): Promise<number> {
  const isIt = ({ command }: Running) => command.includes(file) && command.includes('node')
  return (await until(() => descendants(root).find(isIt), `a process of ${file}`)).pid
}
