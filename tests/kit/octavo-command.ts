/** Runs the CLI as a user would: in its own process, without the settings in this process's environment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { builtFile } from '../../src/base/files/program-files.ts'
import { PROGRAM_ENV } from './program-env.ts'

/** The built CLI, which starts twice as fast as the sources. */
export const MAIN = builtFile('octavo.js')

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export async function runOctavo(
  args: readonly string[],
  {
    cwd,
    env = {},
    program = MAIN,
  }: { cwd: string; env?: Readonly<Record<string, string>>; program?: string },
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROGRAM_ENV, ...env },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
