/** The command line as a person calls it: a process of its own, with nothing of this one's environment but the path. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export async function runOctavo(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
