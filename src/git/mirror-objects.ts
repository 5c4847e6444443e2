/**
 * Reads single objects of a mirror. All callers share one git process per mirror, which ends after some idle time: a
 * process per object would cost far more than reading it and block the node while it starts. Small objects are
 * cached, because changing a page reads the same commits and folders repeatedly.
 */
import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { GitCall } from './git.ts'
import { GitError, MissingObjectError } from './git-error.ts'
import { type FoundObject, type ObjectReader, openObjectReader } from './object-reader.ts'

/** A git call in a mirror. */
export type MirrorCall = GitCall & { gitDir: string; address: string }

/** Idle time after which a process ends; longer than a model takes to think. */
const IDLE_SESSION_MS = 60_000
/** Maximum number of idle processes, with a few MB each: a node polls thousands of repositories in turn. */
const MAX_IDLE_SESSIONS = 64
const ANSWER_TIMEOUT_MS = 60_000
const MAX_BYTES = 64 << 20
const MAX_CACHE_BYTES = 32 << 20
const MAX_CACHED_OBJECT_BYTES = 64 << 10
/** Approximate overhead of a cache entry with its key. */
const ENTRY_BYTES = 300

interface Session {
  reader: ObjectReader
  /** Aborting ends the process. */
  stop: AbortController
  questions: number
  rest?: NodeJS.Timeout
}

interface CachedObject {
  type: string
  bytes: Buffer
}

/** Cached objects by mirror and object id. */
const objectCache = new LRUCache<string, CachedObject>({
  maxSize: MAX_CACHE_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
})

const sessions = new Map<string, Session>()
/** Idle sessions, least recently used first, with the function that ends each. */
const idleSessions = new Map<Session, () => void>()

/**
 * Finds an object by its full id. Returns null without such a mirror or object. Rejects with GitError if git ends.
 */
export async function findObject(call: MirrorCall, id: string): Promise<FoundObject | null> {
  const key = await mirrorKey(call)
  return key === null ? null : await withSession(call, key, (reader) => reader.find(id))
}

/**
 * Reads an object; callers must not modify the result. Rejects with GitError `too_large`, or `failed` if there is no
 * object of this type.
 */
export async function readObject(
  call: MirrorCall,
  id: string,
  type: 'commit' | 'tree' | 'blob',
): Promise<Buffer> {
  call.signal?.throwIfAborted()
  const key = await mirrorKey(call)
  if (key === null) throw new MissingObjectError(id)
  const known = objectCache.get(`${key} ${id}`)
  if (known?.type === type) return known.bytes
  return await withSession(call, key, async (reader) => {
    const found = await reader.find(id)
    if (found?.type !== type) throw new MissingObjectError(id)
    if (found.sizeBytes > MAX_BYTES) {
      const sentence = `The repository ${call.address} holds a ${type} larger than ${MAX_BYTES >> 20} MiB.`
      throw new GitError('too_large', sentence)
    }
    const bytes = await reader.read(id)
    if (bytes.length <= MAX_CACHED_OBJECT_BYTES)
      objectCache.set(`${key} ${id}`, { type, bytes: Buffer.from(bytes) })
    return bytes
  })
}

/** Identifies the mirror's folder: a recreated mirror is a different folder with the same path. */
async function mirrorKey({ gitDir }: MirrorCall): Promise<string | null> {
  const folder = await stat(gitDir).catch(() => null)
  return folder && `${folder.dev}:${folder.ino}:${folder.birthtimeMs}`
}

async function withSession<T>(
  call: MirrorCall,
  key: string,
  work: (reader: ObjectReader) => Promise<T>,
): Promise<T> {
  call.signal?.throwIfAborted()
  const session = openSession(call, key)
  const { stop } = session
  clearTimeout(session.rest)
  idleSessions.delete(session)
  session.questions += 1
  const sentence = `The copy of the repository ${call.address} did not answer within ${ANSWER_TIMEOUT_MS / 1000} seconds.`
  const timer = setTimeout(() => stop.abort(new GitError('timeout', sentence)), ANSWER_TIMEOUT_MS)
  try {
    return await work(session.reader)
  } finally {
    clearTimeout(timer)
    session.questions -= 1
    if (session.questions === 0) rest(key, session)
  }
}

/** Marks a session as idle, ending the one that has been idle longest if there are too many. */
function rest(key: string, session: Session): void {
  const end = () => {
    if (sessions.get(key) === session) sessions.delete(key)
    idleSessions.delete(session)
    session.stop.abort()
  }
  session.rest = setTimeout(end, IDLE_SESSION_MS).unref()
  idleSessions.set(session, end)
  if (idleSessions.size <= MAX_IDLE_SESSIONS) return
  const [[longest, endIt] = []] = idleSessions
  clearTimeout(longest?.rest)
  endIt?.()
}

function openSession({ gitDir, address, settings }: MirrorCall, key: string): Session {
  const known = sessions.get(key)
  if (known !== undefined && !known.reader.isEnded) return known
  if (known !== undefined) {
    idleSessions.delete(known)
    clearTimeout(known.rest)
    known.stop.abort()
  }
  const stop = new AbortController()
  const reader = openObjectReader({ gitDir, address, settings, signal: stop.signal })
  const session = { reader, stop, questions: 0 }
  sessions.set(key, session)
  return session
}
