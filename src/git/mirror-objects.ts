/**
 * Single objects of a mirror. All who ask share one process of git for each mirror, which ends when nobody has asked for a
 * while: a process for every question costs far more than its answer, and the node stands still while one starts. Small
 * objects that were read are kept: a change of one page reads the commits and folders around it again and again.
 */
import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import type { GitCall } from './git.ts'
import { GitError, MissingObjectError } from './git-error.ts'
import { type FoundObject, type ObjectReader, openObjectReader } from './object-reader.ts'

/** A call in a mirror. */
export type MirrorCall = GitCall & { gitDir: string; address: string }

/** Longer than a model thinks. */
const REST_MS = 60_000
/** Processes that rest at most, of a few MB each: a node follows thousands of repositories, and looks at them in turn. */
const MOST_RESTING = 64
const ANSWER_MS = 60_000
const MAX_BYTES = 64 << 20
const MOST_KEPT_BYTES = 32 << 20
const MOST_KEPT_OBJECT = 64 << 10
/** Of a key and an entry, about. */
const ENTRY_BYTES = 300

interface Session {
  reader: ObjectReader
  /** Ends the process. */
  stop: AbortController
  questions: number
  rest?: NodeJS.Timeout
}

interface KeptObject {
  type: string
  bytes: Buffer
}

/** By mirror and name, which is that of the content. */
const kept = new LRUCache<string, KeptObject>({
  maxSize: MOST_KEPT_BYTES,
  sizeCalculation: ({ bytes }) => bytes.length + ENTRY_BYTES,
})

const sessions = new Map<string, Session>()
/** Those that nobody asks anything, in the order in which they came to rest, with their ends. */
const resting = new Map<Session, () => void>()

/**
 * By the full name; null when the mirror has no such object now, or there is no mirror. Rejects with GitError when git
 * ended.
 */
export async function findObject(call: MirrorCall, id: string): Promise<FoundObject | null> {
  const key = await keyOf(call)
  return key === null ? null : await asking(call, key, (reader) => reader.find(id))
}

/** For reading only. Rejects with GitError `too_large`, or `failed` when there is no such object of this type. */
export async function readObject(
  call: MirrorCall,
  id: string,
  type: 'commit' | 'tree' | 'blob',
): Promise<Buffer> {
  call.signal?.throwIfAborted()
  const key = await keyOf(call)
  if (key === null) throw new MissingObjectError(id)
  const known = kept.get(`${key} ${id}`)
  if (known?.type === type) return known.bytes
  return await asking(call, key, async (reader) => {
    const found = await reader.find(id)
    if (found?.type !== type) throw new MissingObjectError(id)
    if (found.sizeBytes > MAX_BYTES) {
      const sentence = `The repository ${call.address} holds a ${type} larger than ${MAX_BYTES >> 20} MiB.`
      throw new GitError('too_large', sentence)
    }
    const bytes = await reader.read(id)
    if (bytes.length <= MOST_KEPT_OBJECT) kept.set(`${key} ${id}`, { type, bytes: Buffer.from(bytes) })
    return bytes
  })
}

/** A mirror that is made anew is another folder at the same place. */
async function keyOf({ gitDir }: MirrorCall): Promise<string | null> {
  const folder = await stat(gitDir).catch(() => null)
  return folder && `${folder.dev}:${folder.ino}:${folder.birthtimeMs}`
}

async function asking<T>(
  call: MirrorCall,
  key: string,
  work: (reader: ObjectReader) => Promise<T>,
): Promise<T> {
  call.signal?.throwIfAborted()
  const session = sessionOf(call, key)
  const { stop } = session
  clearTimeout(session.rest)
  resting.delete(session)
  session.questions += 1
  const sentence = `The copy of the repository ${call.address} did not answer within ${ANSWER_MS / 1000} seconds.`
  const late = setTimeout(() => stop.abort(new GitError('timeout', sentence)), ANSWER_MS)
  try {
    return await work(session.reader)
  } finally {
    clearTimeout(late)
    session.questions -= 1
    if (session.questions === 0) rest(key, session)
  }
}

/** The one that has rested longest makes room. */
function rest(key: string, session: Session): void {
  const end = () => {
    if (sessions.get(key) === session) sessions.delete(key)
    resting.delete(session)
    session.stop.abort()
  }
  session.rest = setTimeout(end, REST_MS).unref()
  resting.set(session, end)
  if (resting.size <= MOST_RESTING) return
  const [[longest, endIt] = []] = resting
  clearTimeout(longest?.rest)
  endIt?.()
}

function sessionOf({ gitDir, address, settings }: MirrorCall, key: string): Session {
  const known = sessions.get(key)
  if (known !== undefined && !known.reader.isEnded) return known
  if (known !== undefined) {
    resting.delete(known)
    clearTimeout(known.rest)
    known.stop.abort()
  }
  const stop = new AbortController()
  const reader = openObjectReader({ gitDir, address, settings, signal: stop.signal })
  const session = { reader, stop, questions: 0 }
  sessions.set(key, session)
  return session
}
