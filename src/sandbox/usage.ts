/**
 * What a process uses, as the system tells it. A bounded process may not look for itself: it asks the one that started
 * it, which answers for processes of its group alone.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

export interface Usage {
  /** Of processor time since the start, of all its threads. */
  cpuSeconds: number
  memoryBytes: number
}

type UsageReader = (pid: number) => Promise<Usage | null>

let read: UsageReader = async (pid) => {
  try {
    return usageIn(await readFile(statOf(pid), 'utf8'))
  } catch {
    return null
  }
}

/** Null where the system does not tell, and of a process that is gone. */
export function usageOf(pid: number | undefined): Promise<Usage | null> {
  return pid === undefined ? Promise.resolve(null) : read(pid)
}

/** Once, at the start of a process that may not look for itself. */
export function readUsageThrough(reader: UsageReader): void {
  read = reader
}

/** At once. `group`: null for a process that does not belong to it. */
export function usageNow(pid: number | undefined, group?: number): Usage | null {
  try {
    const stat = readFileSync(statOf(pid ?? 0), 'utf8')
    return group === undefined || Number(fieldsOf(stat)[GROUP]) === group ? usageIn(stat) : null
  } catch {
    return null // not Linux, or gone already
  }
}

/** Behind the name of the program, which may hold anything; times are in hundredths of a second, memory in pages. */
const [GROUP, USER_TIME, SYSTEM_TIME, PAGES] = [2, 11, 12, 21] as const
const PAGE_BYTES = 4096

function usageIn(stat: string): Usage {
  const fields = fieldsOf(stat)
  return {
    cpuSeconds: (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / 100,
    memoryBytes: Number(fields[PAGES]) * PAGE_BYTES,
  }
}

function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statOf(pid: number): string {
  return `/proc/${pid}/stat`
}
