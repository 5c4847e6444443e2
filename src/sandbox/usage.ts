/**
 * Resource usage of a process as reported by the system. A restricted process cannot read it and must request it from
 * its parent, which only responds for processes of the same process group.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

export interface Usage {
  cpuSeconds: number
  memoryBytes: number
}

type UsageReader = (pid: number) => Promise<Usage | null>

let read: UsageReader = async (pid) => {
  try {
    return parseUsage(await readFile(statPath(pid), 'utf8'))
  } catch {
    return null
  }
}

export function readUsage(pid: number | undefined): Promise<Usage | null> {
  return pid === undefined ? Promise.resolve(null) : read(pid)
}

/** Sets the reader of usage, once at the start of a process that cannot read it itself. */
export function setUsageReader(reader: UsageReader): void {
  read = reader
}

/** Reads usage synchronously. Returns null if `group` is given and the process does not belong to it. */
export function readUsageSync(pid: number | undefined, group?: number): Usage | null {
  try {
    const stat = readFileSync(statPath(pid ?? 0), 'utf8')
    return group === undefined || Number(parseStatFields(stat)[GROUP]) === group ? parseUsage(stat) : null
  } catch {
    return null // not Linux, or already ended
  }
}

/**
 * Indexes of fields after the program's name, which may contain any character. Times are in hundredths of a second,
 * memory is in pages.
 */
const [GROUP, USER_TIME, SYSTEM_TIME, PAGES] = [2, 11, 12, 21] as const
const PAGE_BYTES = 4096

function parseUsage(stat: string): Usage {
  const fields = parseStatFields(stat)
  return {
    cpuSeconds: (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / 100,
    memoryBytes: Number(fields[PAGES]) * PAGE_BYTES,
  }
}

function parseStatFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function statPath(pid: number): string {
  return `/proc/${pid}/stat`
}
