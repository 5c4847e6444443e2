/** Reads PostgreSQL's lock file of a data directory and checks whether that server is really running. */
import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from '../../base/process-state.ts'

export interface Postmaster {
  pid: number
  port: number
  socketDir: string
  state: 'starting' | 'ready' | 'stopping'
}

const SOCKET_LOCK_FILE = '.s.PGSQL.5432.lock'

/** PostgreSQL fills its lock file right after creating it. A file that stays empty longer was left by a crash. */
const EMPTY_LOCK_TIMEOUT_MS = 10_000

/** Larger than the largest process id of any supported kernel. */
const NO_SUCH_PROCESS = 4_194_305

/**
 * Parses postmaster.pid. Its lines: process, data directory, start time, port, socket directory, address, memory key,
 * state.
 */
export function parsePostmasterFile(text: string): Postmaster | null {
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  if (!Number.isInteger(pid) || pid <= 1) return null
  const state = lines[7]?.trim()
  return {
    pid,
    port: Number.isInteger(port) && port > 0 ? port : 5432,
    socketDir: lines[4]?.trim() ?? '',
    state: state === 'ready' || state === 'stopping' ? state : 'starting',
  }
}

/** Returns null when no server of this data directory is running, even if there is a lock file. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = parsePostmasterFile(text)
  return postmaster !== null && (await isPostmaster(postmaster.pid, clusterDir)) ? postmaster : null
}

/**
 * Neutralizes the lock files of a dead server. Their process id may by now belong to another program (containers hand
 * out the same few ids at each start) or to a zombie that is never reaped, and PostgreSQL would refuse to start
 * forever. Only that id is changed. In the data directory's file, the line with the memory key must stay, because
 * PostgreSQL uses it to detect orphaned children of the dead server that still use the files. A file that a crash
 * left empty is removed: it names no process, and PostgreSQL takes it for another start in progress.
 */
export async function neutralizeLockFiles(clusterDir: string, socketDir: string): Promise<void> {
  for (const path of [join(clusterDir, 'postmaster.pid'), join(socketDir, SOCKET_LOCK_FILE)]) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === '' && (await isOlderThan(path, EMPTY_LOCK_TIMEOUT_MS))) await rm(path, { force: true })
    const pid = Number(/^\d+/.exec(text ?? '')?.[0])
    if (text === null || !pid || !isAlive(pid)) continue
    // Another process may have started the server in the meantime.
    if (await isPostmaster(pid, clusterDir)) continue
    await writeFile(path, text.replace(/^\d+/, String(NO_SUCH_PROCESS)))
  }
}

/**
 * Returns whether a file is older than `ms`. A time in the future counts by its distance, because the clock
 * may have been set back.
 */
async function isOlderThan(path: string, ms: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Math.abs(Date.now() - found.mtimeMs) > ms
}

async function isPostmaster(pid: number, clusterDir: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (platform() !== 'linux') {
    const listed = await promisify(execFile)('ps', ['-o', 'stat=,command=', '-p', String(pid)]).catch(
      () => null,
    )
    return listed !== null && !listed.stdout.startsWith('Z') && /postgres/.test(listed.stdout)
  }
  // A server works inside its data directory. A zombie no longer has a working directory.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  return cwd !== null && cwd === (await realpath(clusterDir).catch(() => null))
}
