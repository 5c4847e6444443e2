/**
 * A lock between processes, represented by a file that its owner touches.
 *
 *   no file                          free; acquired by creating the file
 *   file touched in the last 30 s    held; others wait
 *   file older, or process gone      abandoned; moved aside and removed, then acquired by creating the file
 *
 * The clock of the file times may be changed. A file whose time is far off in either direction counts as abandoned
 * only if it is not touched while being watched, measured by a monotonic clock. The process id is only meaningful on
 * the host that wrote it, since other hosts and containers may share the folder.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { isAlive } from '../process-state.ts'

const HEARTBEAT_MS = 5_000
const ABANDONED_LOCK_MS = 30_000
const POLL_INTERVAL_MS = 100
/** Time within which a live owner touches its file. */
const STALE_AFTER_MS = 2 * HEARTBEAT_MS

export interface FileLock {
  [Symbol.asyncDispose](): Promise<void>
}

/** Waits for the lock and acquires it. The folder of `path` must exist. Rejects with the signal's reason. */
export async function acquireFileLock(path: string, signal?: AbortSignal): Promise<FileLock> {
  const owner = { host: hostname(), pid: process.pid, id: randomUUID() }
  const observation: LockObservation = { stamp: '', since: 0 }
  while (!(await create(path, JSON.stringify(owner)))) {
    const abandoned = await findAbandoned(path, observation)
    if (abandoned !== null) await removeAbandoned(path, abandoned, owner.id)
    else await waitUntilReleased(path, signal)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, HEARTBEAT_MS)
  heartbeat.unref()
  let isHeld = true
  return {
    async [Symbol.asyncDispose]() {
      if (!isHeld) return
      isHeld = false
      clearInterval(heartbeat)
      // After a long suspension the lock may have been lost, and the file may belong to another process.
      const current = await readFile(path, 'utf8').catch(() => '')
      if (current.includes(owner.id)) await rm(path, { force: true })
      wakeNext(path)
    },
  }
}

/** Waiters of this process by lock path. A release wakes the first one immediately; other processes poll. */
const waiting = new Map<string, Set<() => void>>()

function wakeNext(path: string): void {
  const [first] = waiting.get(path) ?? []
  first?.()
}

/**
 * Waits until this process releases the lock, or for one polling interval, in case another process releases
 * it. Rejects with the signal's reason.
 */
async function waitUntilReleased(path: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const waiters = waiting.get(path) ?? new Set()
  waiting.set(path, waiters.add(resolve))
  const timer = setTimeout(resolve, POLL_INTERVAL_MS)
  const leave = () => resolve()
  signal?.addEventListener('abort', leave, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', leave)
  waiters.delete(resolve)
  if (waiters.size === 0 && waiting.get(path) === waiters) waiting.delete(path)
  signal?.throwIfAborted()
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

interface LockObservation {
  stamp: string
  since: number
}

/** Returns the content of an abandoned lock file, or null if the lock is held or gone. */
async function findAbandoned(path: string, observation: LockObservation): Promise<string | null> {
  const found = await stat(path).catch(() => undefined)
  const content = await readFile(path, 'utf8').catch(() => null)
  if (!found || content === null) return null
  const stamp = `${found.mtimeMs} ${content}`
  if (observation.stamp !== stamp) Object.assign(observation, { stamp, since: performance.now() })
  const isStale = Math.abs(Date.now() - found.mtimeMs) > ABANDONED_LOCK_MS
  if (isStale && performance.now() - observation.since > STALE_AFTER_MS) return content
  const [, host, pid] = /"host":"([^"]*)","pid":(\d+)/.exec(content) ?? []
  return host === hostname() && !isAlive(Number(pid)) ? content : null
}

/**
 * Removes an abandoned lock. Several processes may find the lock abandoned, so the moved file may already be
 * a new lock of another process.
 */
async function removeAbandoned(path: string, abandoned: string, id: string): Promise<void> {
  const movedPath = `${path}.${id}`
  await rename(path, movedPath).catch(() => undefined)
  const moved = await readFile(movedPath, 'utf8').catch(() => abandoned)
  if (moved !== abandoned) await link(movedPath, path).catch(() => undefined)
  await rm(movedPath, { force: true })
}
