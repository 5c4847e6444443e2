/** Tests whether a process exists, and whether an id still refers to the same process. */
import { readFile } from 'node:fs/promises'
import { platform } from 'node:os'

/** Returns whether a process exists, including zombies and processes that this user cannot signal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Returns the start time of a process in kernel-specific units, which differs between processes with the same id.
 * Null if the process has ended, even if it has not been reaped. Without /proc, returns the same text for all live
 * processes.
 */
export async function readProcessStart(pid: number): Promise<string | null> {
  if (platform() !== 'linux') return isAlive(pid) ? 'alive' : null
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The program's name is in parentheses and may contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}
