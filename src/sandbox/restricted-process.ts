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
import {
  type DieWithParentOptions,
  dieWithParent,
  killProcessGroup,
  PARENT_PIPE_FD,
} from '../base/parent-pipe.ts'
import { COMPILE_CACHE_FOLDER } from './compile-cache.ts'
import { MAX_STDERR_CHARACTERS } from './limits.ts'
import { classifyEnding, type ProcessEnding } from './process-end.ts'
import { readUsage, type Usage } from './usage.ts'

export interface RestrictedProcessOptions extends Required<DieWithParentOptions> {
  /** Node options and the file to run, after the permissions. */
  args: readonly string[]
  /** Permissions granted in addition to reading the program, as options of Node's permission model. */
  permissions: readonly string[]
  /** Readable folders below the program's sources; defaults to all. */
  sources?: readonly string[]
  files?: readonly string[]
  /** Number of additional pipes, starting with file descriptor 4. */
  pipes?: number
}

export interface RestrictedProcess {
  readonly child: ChildProcess
  readonly pid: number | undefined
  usage(): Promise<Usage | null>
  stderrTail(): string
  kill(): void
  ending(): ProcessEnding
  readonly exited: Promise<void>
}

export function startRestrictedProcess(options: RestrictedProcessOptions): RestrictedProcess {
  const { command, args } = commandLine(options)
  const child = spawn(command, args, {
    env: {
      TZ: 'UTC',
      ...(COMPILE_CACHE_FOLDER === null ? {} : { NODE_COMPILE_CACHE: COMPILE_CACHE_FOLDER }),
    },
    cwd: dirname(process.execPath),
    detached: options.isGroup,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', ...Array<'pipe'>(options.pipes ?? 0).fill('pipe')],
  })
  const parentPipe = child.stdio[PARENT_PIPE_FD] as Writable
  parentPipe.on('error', () => {})
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      parentPipe.end('gone\n')
      resolve()
    }
    child.once('exit', end)
    child.once('error', end)
  })
  let tail = ''
  let wasKilledByUs = false
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-MAX_STDERR_CHARACTERS)
  })
  // A killed process no longer reads its input; `exited` reports its end.
  child.stdin?.on('error', () => {})
  return {
    child,
    pid: child.pid,
    usage: () => readUsage(child.pid),
    stderrTail: () => tail,
    kill: () => {
      wasKilledByUs = true
      if (options.isGroup) killProcessGroup(child)
      else child.kill('SIGKILL')
    },
    ending: () => classifyEnding(child, tail, wasKilledByUs),
    exited,
  }
}

function commandLine(options: RestrictedProcessOptions): { command: string; args: string[] } {
  const args = [
    '--disable-warning=PERM0001',
    '--disable-warning=PERM0002',
    '--disable-warning=PERM0006',
    '--permission',
    ...options.permissions,
    ...(COMPILE_CACHE_FOLDER === null ? [] : [`--allow-fs-write=${COMPILE_CACHE_FOLDER}`]),
    ...(HAS_NETWORK_PERMISSION ? [] : [`--import=${pathToFileURL(entryFile('without-network'))}`]),
    ...readablePaths(options).map((path) => READ_PERMISSION_FLAG + path),
    ...options.args,
  ]
  return dieWithParent(process.execPath, args, options)
}

/**
 * Returns the paths that the process can read: sources, translations, packages, compile cache and given
 * files.
 */
function readablePaths({ sources, files = [] }: RestrictedProcessOptions): string[] {
  const folders = ['dist', 'locales']
  if (sources === undefined) folders.push('src', 'web')
  else if (!IS_BUILT) folders.push(...sources.map((name) => join('src', name)))
  return [
    ...folders.map((name) => programFile(join(name, sep))),
    programFile('package.json'),
    ...(COMPILE_CACHE_FOLDER === null ? [] : [COMPILE_CACHE_FOLDER]),
    ...files,
    ...packageFolders(PROGRAM_ROOT),
  ]
}

const READ_PERMISSION_FLAG = '--allow-fs-read='
/** True if the permission model of this version of Node covers the network; see without-network.ts. */
const HAS_NETWORK_PERMISSION = process.allowedNodeEnvironmentFlags.has('--allow-net')

function packageFolders(root: string): string[] {
  // A restricted process cannot search for package folders, so it uses those that it was granted itself.
  if (process.permission)
    return process.execArgv.flatMap((option) =>
      option.startsWith(READ_PERMISSION_FLAG) && option.endsWith(`node_modules${sep}`)
        ? [option.slice(READ_PERMISSION_FLAG.length)]
        : [],
    )
  const found: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    const packages = join(folder, 'node_modules')
    if (existsSync(packages)) found.push(packages + sep, realpathSync(packages) + sep)
    if (folder === dirname(folder)) return found
  }
}
