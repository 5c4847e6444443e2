/** CPU time and memory of a process and its descendants, read from /proc on Linux. */
import { readdir, readFile } from 'node:fs/promises'

/** Kernel clock ticks per second. */
const TICKS = 100

/** Returns the CPU seconds of a process and its descendants, including those that have exited. */
export async function secondsOfTree(root: number): Promise<number> {
  const ticks = await sumOfTree(root, async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const figure = fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
    return { parent: Number(fields[1] ?? 0), figure }
  })
  return ticks / TICKS
}

/** Returns the resident bytes of a process and its descendants, without shared memory. */
export async function memoryOfTree(root: number): Promise<number> {
  return await sumOfTree(root, async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return { parent: field('PPid'), figure: field('RssAnon') * 1024 }
  })
}

async function sumOfTree(
  root: number,
  read: (pid: number) => Promise<{ parent: number; figure: number }>,
): Promise<number> {
  const children = new Map<number, number[]>()
  const figures = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const { parent, figure } = await read(pid)
    figures.set(pid, figure)
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const sum = (pid: number): number =>
    (figures.get(pid) ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0)
  return sum(root)
}
