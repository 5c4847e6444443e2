/**
 * A process that is started with nothing it could misuse and never outlives this one:
 *
 *   - no environment of use, no files but the program's own, no network (Node's permission model, which the processes that it
 *     starts inherit; before Node 25 without-network.ts)
 *   - address space and processor time bounded by the system where there is `ulimit`
 *   - a leash: it dies with its whole group as soon as this process is gone, however that went
 *   - memory in use and processor time can be read, where the system tells
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
  /** Options of Node and the file to run, behind the permissions. */
  args: readonly string[]
  /** What of Node's permission model is granted beside reading the program. */
  permissions: readonly string[]
  /** Folders below the program's source that it may read; all when left out. */
  sources?: readonly string[]
  /** Further files that it may read. */
  files?: readonly string[]
  /** Further pipes, from file descriptor 4 on. */
  pipes?: number
}

export interface LeashedProcess {
  readonly child: ChildProcess
  /** Undefined when it could not be started. */
  readonly pid: number | undefined
  /** Null where the system does not tell. */
  usage(): Promise<Usage | null>
  /** The end of what it wrote to standard error. */
  lastWords(): string
  kill(): void
  /** When it is gone. */
  ending(): ProcessEnding
  /** Resolves when the process is gone. */
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
  // A process that was killed no longer reads: `gone` says so.
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
    child.kill('SIGKILL') // no group on this system, or gone already
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

/** The program's own sources and packages, and what it carries of others. */
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
/** Whether a process without it has no network; see without-network.ts. */
const HAS_NETWORK_PERMISSION = process.allowedNodeEnvironmentFlags.has('--allow-net')

function packageFolders(root: string): string[] {
  // A process that is bounded itself cannot look for them: it hands on those that it was given.
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
