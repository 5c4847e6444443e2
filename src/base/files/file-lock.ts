/**
 * A lock between processes, kept as a file that its owner touches.
 *
 *   no file                          taken by creating it
 *   file touched in the last 30 s    held; waited for
 *   file older, or its process gone  abandoned; moved aside and removed, then taken by whoever creates it next
 *
 * Times are by a clock that may be set: a file whose time is far off, either way, is abandoned only when nobody touches it
 * while it is watched, which is told by a clock that is not. The process number counts only on the host that wrote it: other hosts and containers may share the folder.
 */
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'

const TOUCH_MS = 5_000
const ABANDONED_MS = 30_000
const LOOK_AGAIN_MS = 100
/** An owner touches its file within. */
const WATCHED_MS = 2 * TOUCH_MS

export interface FileLock {
  /** Gives the lock back. Safe to call twice. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Waits until the lock is free, then holds it. The folder of `path` must exist. Rejects with the signal's reason. */
export async function acquireFileLock(path: string, signal?: AbortSignal): Promise<FileLock> {
  const owner = { host: hostname(), pid: process.pid, id: randomUUID() }
  const watch: Watch = { stamp: '', since: 0 }
  while (!(await create(path, JSON.stringify(owner)))) {
    const abandoned = await findAbandoned(path, watch)
    if (abandoned !== null) await moveAway(path, abandoned, owner.id)
    else await untilReleased(path, signal)
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, TOUCH_MS)
  heartbeat.unref()
  let isHeld = true
  return {
    async [Symbol.asyncDispose]() {
      if (!isHeld) return
      isHeld = false
      clearInterval(heartbeat)
      // A process that slept for long may have lost the lock: what lies there now is another's.
      const current = await readFile(path, 'utf8').catch(() => '')
      if (current.includes(owner.id)) await rm(path, { force: true })
      wakeNext(path)
    },
  }
}

/** Callers of this process that wait for a lock, by its path: the first is woken at once, other processes look again. */
const waiting = new Map<string, Set<() => void>>()

function wakeNext(path: string): void {
  const [first] = waiting.get(path) ?? []
  first?.()
}

/** Or for a moment: who holds it may be another process. Rejects with the signal's reason. */
async function untilReleased(path: string, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<void>()
  const line = waiting.get(path) ?? new Set()
  waiting.set(path, line.add(resolve))
  const timer = setTimeout(resolve, LOOK_AGAIN_MS)
  const leave = () => resolve()
  signal?.addEventListener('abort', leave, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', leave)
  line.delete(resolve)
  if (line.size === 0 && waiting.get(path) === line) waiting.delete(path)
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

/** Of a file: how it was last seen, and since when it is as it was then. */
interface Watch {
  stamp: string
  since: number
}

/** What the file says when nobody holds the lock any more; null when it is held, or gone. */
async function findAbandoned(path: string, watch: Watch): Promise<string | null> {
  const found = await stat(path).catch(() => undefined)
  const content = await readFile(path, 'utf8').catch(() => null)
  if (!found || content === null) return null
  const stamp = `${found.mtimeMs} ${content}`
  if (watch.stamp !== stamp) Object.assign(watch, { stamp, since: performance.now() })
  const isFarOff = Math.abs(Date.now() - found.mtimeMs) > ABANDONED_MS
  if (isFarOff && performance.now() - watch.since > WATCHED_MS) return content
  const [, host, pid] = /"host":"([^"]*)","pid":(\d+)/.exec(content) ?? []
  return host === hostname() && !isAlive(Number(pid)) ? content : null
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Several processes may see it abandoned: what one moves may already be the lock that another has just taken. */
async function moveAway(path: string, abandoned: string, id: string): Promise<void> {
  const aside = `${path}.${id}`
  await rename(path, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => abandoned)
  if (moved !== abandoned) await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}
