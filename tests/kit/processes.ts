/** Processes of this machine, for tests that none is left behind. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { readProcessStart } from '../../src/base/process-state.ts'
import { loadFactor, until } from './until.ts'

export interface SeenProcess {
  pid: number
  /** Tells it from a later process of the same number. */
  start: string
  command: string
}

/** The process and everything below it, the dead left out. */
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

/** Those of the embedded PostgreSQL that this process has started, without the shell that watches over them. */
export async function postgresProcesses(starter: number): Promise<SeenProcess[]> {
  return (await processTree(starter)).filter(({ command }) => /^(\S*\/postgres -D |postgres: )/.test(command))
}

/** The dead are left out. */
export function signalAll(processes: readonly SeenProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Waits until all have ended; gives those that have not after the seconds, which are more where the machine is busy. */
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

/** All processes below this one at once, the nearest first; on Linux. */
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

/** A bare Linux has no `ps`. */
function seenInProc(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const [state, parent] =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        // One that has ended with all of its threads only waits to be asked how.
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

/** Waits for a process of Node below that runs the file. */
export async function findProcess(file: string, root?: number): Promise<number> {
  const isIt = ({ command }: Running) => command.includes(file) && command.includes('node')
  return (await until(() => descendants(root).find(isIt), `a process of ${file}`)).pid
}
