/**
 * Ports through which a sandboxed process accesses the store, repository and network of a single site: calls
 * that its parent process answers. `serve…` functions run in the parent, `remote…` functions in the sandbox.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createAsyncCache } from '../base/async-cache.ts'
import {
  type FileAtCommit,
  type FileDates,
  type FileEntry,
  FileMissingError,
  type FileTree,
} from '../base/files/file-tree.ts'
import type { Log } from '../base/log.ts'
import {
  type GuardedFetch,
  GuardedFetchError,
  type GuardedRequest,
  type GuardedResponse,
} from '../base/net/guarded-fetch.ts'
import type { Slot } from '../base/slot.ts'
import { ENTRY_NAME, entryName, type ObjectCache, openObjectCache } from '../objects/object-cache.ts'
import {
  type FoundObject,
  ObjectMissingError,
  type ObjectStore,
  type StoredObject,
} from '../objects/object-store.ts'
import { MAX_LOG_LINES } from './limits.ts'
import type { Handler, Peer } from './peer.ts'

export interface PortTargets {
  tree: FileTree
  objects: ObjectStore
  projectId: string
  /** Null disables fetching. */
  guardedFetch: GuardedFetch | null
  /** Slot that must be held to respond to any call. Released during fetches. */
  slot?: Slot
  log: Log
  signal: AbortSignal
}

/** Plain data from which the sandboxed process opens its tree. */
export interface TreeListing {
  revision: string
  files: readonly (readonly [path: string, sizeBytes: number, digest: string])[]
  refused: FileTree['refused']
  links: readonly string[] | null
  unfetched: readonly (readonly [path: string, reason: string])[]
  hasDates: boolean
}

/** Keys of the store that a render needs. Bundles, manifests and everything else are inaccessible. */
const ALLOWED_KEYS = /^blobs\/[\w/-]{1,100}\.gz$/
/** Files whose change dates are passed on: the sources of pages. */
const DATED_FILES = /\.(?:mdx?|json|ya?ml)$/i
const COMMIT = /^[0-9a-f]{40,64}$/
/** Maximum number of files read at earlier commits. */
const MAX_HISTORY_READS = 100
/** Maximum size in bytes of a file that is cached after its first read. */
const SMALL_FILE_BYTES = 32 * 1024
const MAX_CACHED_FILES_BYTES = 2 << 20
const MAX_FETCHES = 5000

type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export function treeListing(tree: FileTree): TreeListing {
  return {
    revision: tree.revision,
    files: [...tree.files].map(([path, { sizeBytes, digest }]) => [path, sizeBytes, digest] as const),
    refused: tree.refused,
    links: tree.links ? [...tree.links] : null,
    unfetched: [...(tree.unfetched ?? [])],
    hasDates: tree.dates !== undefined,
  }
}

export function servePorts(targets: PortTargets): Record<string, Handler> {
  const handlers = createHandlers(targets)
  const { slot } = targets
  if (slot === undefined) return handlers
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      name === 'fetch'
        ? (input, bytes) => slot.releaseDuring(async () => handle(input, bytes))
        : async (input, bytes) => {
            await slot.acquire()
            return handle(input, bytes)
          },
    ]),
  )
}

function createHandlers(targets: PortTargets): Record<string, Handler> {
  const { tree, objects, projectId, guardedFetch, log, signal } = targets
  const cache = openObjectCache(objects, projectId)
  let fetches = 0
  let lines = 0
  let dates: Promise<FileDates | null> | undefined
  const loadDates = async () => {
    dates ??= tree.dates?.()
    return (await dates) ?? null
  }
  const key = (text: string) => {
    if (!ALLOWED_KEYS.test(text)) throw new Error(`this process cannot use the key ${text}`)
    return text
  }
  const entry = (name: string) => {
    if (!ENTRY_NAME.test(name)) throw new Error('the name of a cache entry must be a digest')
    return name
  }
  return {
    'tree.read': async ({ path }: { path: string }) => ({ bytes: await tree.read(path) }),
    'tree.dates': async () => ({ value: selectDates(tree, await loadDates()) }),
    'tree.readAt': async ({ files }: { files: FileAtCommit[] }) => {
      const wanted = files.slice(0, MAX_HISTORY_READS)
      if (!wanted.every(({ path, commit }) => tree.files.has(path) && COMMIT.test(commit)))
        throw new Error('only files of the site can be read at a commit')
      return { value: (await (await loadDates())?.readAt?.(wanted)) ?? [] }
    },
    'objects.head': async (input: { key: string }) => ({ value: await objects.head(key(input.key)) }),
    'objects.read': async (input: { key: string }) => {
      try {
        return { value: true, bytes: await objects.read(key(input.key)) }
      } catch (error) {
        if (error instanceof ObjectMissingError) return { value: false }
        throw error
      }
    },
    'objects.put': async (input: { key: string; contentType?: string }, bytes) => {
      const options = input.contentType === undefined ? {} : { contentType: input.contentType }
      return { value: await objects.put(key(input.key), bytes, options) }
    },
    'cache.read': async ({ name }: { name: string }) => {
      const bytes = await cache.read(entry(name))
      return bytes === null ? { value: false } : { value: true, bytes }
    },
    'cache.put': async ({ name }: { name: string }, bytes) => {
      await cache.put(entry(name), bytes)
      return {}
    },
    fetch: async ({ url, request }: { url: string; request: GuardedRequest }) => {
      if (guardedFetch === null || ++fetches > MAX_FETCHES)
        return { value: { kind: 'refused', message: 'No more URLs are fetched for this site.' } }
      try {
        const { body, ...answer } = await guardedFetch.fetch(url, { ...request, signal })
        return { value: answer, bytes: body }
      } catch (error) {
        if (!(error instanceof GuardedFetchError)) throw error
        return { value: { kind: error.kind, message: error.message } }
      }
    },
    log: ({ level, fields, event }: { level: LogLevel; fields: object; event: string }) => {
      if (++lines <= MAX_LOG_LINES && ['debug', 'info', 'warn', 'error'].includes(level))
        log[level](fields, String(event))
      return {}
    },
  }
}

/**
 * Checks paths inside the sandbox, so that looking up a missing file needs no call to the parent. `mark` is called
 * right before a file's content is returned, each time in a separate turn of the event loop, so that the last marked
 * file is the one being processed.
 */
export function remoteTree(
  peer: Peer,
  { revision, files, refused, links, unfetched, hasDates }: TreeListing,
  mark: (path: string) => void,
): FileTree {
  const entries = new Map<string, FileEntry>(
    files.map(([path, sizeBytes, digest]) => [path, { sizeBytes, digest }]),
  )
  // Caches small files, because a check reads the same few files several times and each read is a call to the parent.
  const small = createAsyncCache<Uint8Array>({
    maxSize: MAX_CACHED_FILES_BYTES,
    sizeOf: ({ length }) => length,
  })
  const fetchFile = async (path: string) => (await peer.call('tree.read', { path })).bytes
  return {
    revision,
    files: entries,
    refused,
    ...(links === null ? {} : { links: new Set(links) }),
    unfetched: new Map(unfetched),
    ...(hasDates && { dates: () => remoteDates(peer) }),
    async read(path) {
      const entry = entries.get(path)
      if (entry === undefined) throw new FileMissingError(path)
      const isSmall = entry.sizeBytes <= SMALL_FILE_BYTES
      const bytes = await (isSmall ? small.get(path, () => fetchFile(path)) : fetchFile(path))
      await nextTurn()
      mark(path)
      return bytes
    },
    async [Symbol.asyncDispose]() {},
  }
}

function selectDates(tree: FileTree, found: FileDates | null) {
  const dates = [...(found?.dates ?? [])]
    .filter(([path]) => DATED_FILES.test(path) && tree.files.has(path))
    .map(([path, date]) => [path, date, found?.commits.get(path) ?? ''] as const)
  return found && { isWhole: found.isWhole, dates }
}

async function remoteDates(peer: Peer): Promise<FileDates | null> {
  const { value } = await peer.call('tree.dates', {})
  const found = value as ReturnType<typeof selectDates>
  return (
    found && {
      isWhole: found.isWhole,
      dates: new Map(found.dates.map(([path, date]) => [path, date])),
      commits: new Map(found.dates.map(([path, , commit]) => [path, commit])),
      readAt: async (files) => (await peer.call('tree.readAt', { files })).value as (string | null)[],
    }
  )
}

/** Supports head, read and put of whole objects; other operations throw. */
export function remoteStore(peer: Peer): ObjectStore {
  const refuse = () => {
    throw new Error('this part of the store cannot be used here')
  }
  return {
    async head(key) {
      return (await peer.call('objects.head', { key })).value as FoundObject | null
    },
    async read(key) {
      const { value, bytes } = await peer.call('objects.read', { key })
      if (value !== true) throw new ObjectMissingError(key)
      return bytes
    },
    async put(key, body, options = {}) {
      if (!(body instanceof Uint8Array)) return refuse()
      return (await peer.call('objects.put', { key, ...options }, body)).value as StoredObject
    },
    get: refuse,
    delete: refuse,
    list: refuse,
    presign: refuse,
    async [Symbol.asyncDispose]() {},
  }
}

export function remoteCache(peer: Peer): ObjectCache {
  return {
    async read(name) {
      const { value, bytes } = await peer.call('cache.read', { name: entryName(name) })
      return value === true ? bytes : null
    },
    async put(name, content) {
      await peer.call('cache.put', { name: entryName(name) }, content)
    },
  }
}

export function remoteFetch(peer: Peer): GuardedFetch {
  return {
    objection: () => null, // the fetch itself reports objections
    async fetch(url, { signal, ...request }) {
      signal?.throwIfAborted()
      const { value, bytes } = await peer.call('fetch', { url, request })
      const answer = value as Omit<GuardedResponse, 'body'> | Pick<GuardedFetchError, 'kind' | 'message'>
      if ('kind' in answer) throw new GuardedFetchError(answer.kind, answer.message)
      return { ...answer, body: bytes }
    },
    async [Symbol.asyncDispose]() {},
  }
}

export function remoteLog(peer: Peer): Log {
  const line = (level: LogLevel, around: object) => (fields: object, event: string) =>
    peer.notify('log', { level, fields: { ...around, ...fields }, event })
  const make = (around: object): Log => ({
    debug: line('debug', around),
    info: line('info', around),
    warn: line('warn', around),
    error: line('error', around),
    child: (fields) => make({ ...around, ...fields }),
  })
  return make({})
}
