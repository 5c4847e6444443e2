/**
 * A restricted process that never outlives this one:
 *
 *   - no useful environment, no files but the program's own, no network (Node's permission model, which its child
 *     processes inherit; before Node 25, without-network.ts)
 *   - address space and CPU time limited by the system where `ulimit` is available
 *   - killed with its whole process group as soon as this process is gone, for whatever reason
 *   - memory usage and CPU time can be read where the system provides them
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { entryFile, IS_BUILT, PROGRAM_ROOT, programFile } from '../base/files/program-files.ts'
import { LEASH, type LeashOptions, leashed } from '../base/leash.ts'
import { LAST_WORDS } from './limits.ts'
import { OWN_CODE_FOLDER } from './own-code.ts'
import { endingOf, type ProcessEnding } from './process-end.ts'
import { type Usage, usageOf } from './usage.ts'

export interface LeashedOptions extends Required<LeashOptions> {
  /** Node options and the file to run, after the permissions. */
  args: readonly string[]
  /** Permissions granted in addition to reading the program, as options of Node's permission model. */
  permissions: readonly string[]
  /** Readable folders below the program's sources; defaults to all. */
  sources?: readonly string[]
  /** Additional readable files. */
  files?: readonly string[]
  /** Number of additional pipes, starting with file descriptor 4. */
  pipes?: number
}

export interface LeashedProcess {
  readonly child: ChildProcess
  /** Undefined if the process could not be started. */
  readonly pid: number | undefined
  /** Returns null where the system does not provide it. */
  usage(): Promise<Usage | null>
  /** Returns the end of its output on standard error. */
  lastWords(): string
  kill(): void
  /** Available once the process has ended. */
  ending(): ProcessEnding
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>
}

export function startLeashed(options: LeashedOptions): LeashedProcess {
  const { command, args } = commandLine(options)
  const child = spawn(command, args, {
    env: { TZ: 'UTC', ...(OWN_CODE_FOLDER === null ? {} : { NODE_COMPILE_CACHE: OWN_CODE_FOLDER }) },
    cwd: dirname(process.execPath),
    detached: options.isGroup,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...Array<'pipe'>(options.pipes ?? 0).fill('pipe')],
  })
  const leash = child.stdio[LEASH] as Writable
  leash.on('error', () => {})
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      leash.end('gone\n')
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  let said = ''
  let isOurs = false
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-LAST_WORDS)
  })
  // A killed process no longer reads; handled through `gone`.
  child.stdin?.on('error', () => {})
  return {
    child,
    pid: child.pid,
    usage: () => usageOf(child.pid),
    lastWords: () => said,
    kill: () => {
      isOurs = true
      if (options.isGroup) killGroup(child)
      else child.kill('SIGKILL')
    },
    ending: () => endingOf(child, said, isOurs),
    gone,
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // there is no process group on this system, or it has already ended
  }
}

function commandLine(options: LeashedOptions): { command: string; args: string[] } {
  const args = [
    '--disable-warning=PERM0001',
    '--disable-warning=PERM0002',
    '--disable-warning=PERM0006',
    '--permission',
    ...options.permissions,
    ...(OWN_CODE_FOLDER === null ? [] : [`--allow-fs-write=${OWN_CODE_FOLDER}`]),
    ...(HAS_NETWORK_PERMISSION ? [] : [`--import=${pathToFileURL(entryFile('without-network'))}`]),
    ...readablePaths(options).map((path) => GRANTED + path),
    ...options.args,
  ]
  return leashed(process.execPath, args, options)
}

/** Returns the program's sources and packages, and bundled files of others. */
function readablePaths({ sources, files = [] }: LeashedOptions): string[] {
  const folders = ['dist']
  if (sources === undefined) folders.push('src', 'web')
  else if (!IS_BUILT) folders.push(...sources.map((name) => join('src', name)))
  return [
    ...folders.map((name) => programFile(join(name, sep))),
    programFile('package.json'),
    ...(OWN_CODE_FOLDER === null ? [] : [OWN_CODE_FOLDER]),
    ...files,
    ...packageFolders(PROGRAM_ROOT),
  ]
}

const GRANTED = '--allow-fs-read='
/** Whether the permission model covers the network; see without-network.ts. */
const HAS_NETWORK_PERMISSION = process.allowedNodeEnvironmentFlags.has('--allow-net')

function packageFolders(root: string): string[] {
  // A restricted process cannot search for the folders, so it passes on those that it was granted.
  if (process.permission)
    return process.execArgv.flatMap((option) =>
      option.startsWith(GRANTED) && option.endsWith(`node_modules${sep}`)
        ? [option.slice(GRANTED.length)]
        : [],
    )
  const found: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) found.push(packages + sep, realpathSync(packages) + sep)
    if (folder === dirname(folder)) return found
  }
}
