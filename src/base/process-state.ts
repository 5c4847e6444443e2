/** Whether a process of that number is there, and whether it is still the same one. */
import { readFile } from 'node:fs/promises'
import { platform } from 'node:os'

/** Also true of a zombie, and of a process that is not ours to signal. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * When the process began, in a unit of the kernel's own: two processes of one number differ in it. Null when it has
 * ended, also when nobody has reaped it. Systems without /proc give the same answer for all that are alive.
 */
export async function startOfProcess(pid: number): Promise<string | null> {
  if (platform() !== 'linux') return isAlive(pid) ? 'alive' : null
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  // The name of the program stands in brackets, and may have spaces and brackets in it.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
}
