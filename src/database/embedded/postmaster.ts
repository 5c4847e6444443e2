/** What PostgreSQL's own lock file says about the server of a data directory, and whether it is true. */
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

const SOCKET_LOCK = '.s.PGSQL.5432.lock'

/** PostgreSQL writes its lock file right after it has made it: one that is empty for longer was left by a crash. */
const EMPTY_MS = 10_000

/** Larger than the largest process number of any supported kernel. */
const NO_SUCH_PROCESS = 4_194_305

/** Lines of postmaster.pid: process, data directory, start time, port, socket directory, address, memory key, state. */
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

/** Null when no server of this data directory runs, whatever the lock file says. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = parsePostmasterFile(text)
  return postmaster !== null && (await isPostmaster(postmaster.pid, clusterDir)) ? postmaster : null
}

/**
 * Makes the lock files that a dead server left behind harmless. Their process number may belong to another program by
 * now (containers hand out the same few numbers at each start), or to a zombie that nobody reaps; PostgreSQL would
 * refuse to start for ever. Only that number is changed: in the data directory's file the line with the memory key must
 * stay, because by it PostgreSQL finds out whether orphaned children of the dead server are still at the files. A file
 * that a crash left empty goes: it names nobody, and PostgreSQL takes it for another start's.
 */
export async function disarmLockFiles(clusterDir: string, socketDir: string): Promise<void> {
  for (const path of [join(clusterDir, 'postmaster.pid'), join(socketDir, SOCKET_LOCK)]) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text === '' && (await isOlderThan(path, EMPTY_MS))) await rm(path, { force: true })
    const pid = Number(/^\d+/.exec(text ?? '')?.[0])
    if (text === null || !pid || !isAlive(pid)) continue
    // Another process may have started the server since we looked.
    if (await isPostmaster(pid, clusterDir)) continue
    await writeFile(path, text.replace(/^\d+/, String(NO_SUCH_PROCESS)))
  }
}

/** A time ahead of the clock counts by its distance: the clock may have been put back. */
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
  // A server works inside its data directory; a zombie has no working directory any more.
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => null)
  return cwd !== null && cwd === (await realpath(clusterDir).catch(() => null))
}
