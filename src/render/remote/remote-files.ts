/**
 * Downloads remote files of a site: images, video, fonts and style sheets. Downloads are cached by URL and content.
 * If a server is unavailable, its cached files are used; files that have not changed are not transferred again.
 */

import { sha256 } from '../../base/hash.ts'
import type { Log } from '../../base/log.ts'
import {
  type GuardedFetch,
  GuardedFetchError,
  type GuardedRequest,
  type GuardedResponse,
} from '../../base/net/guarded-fetch.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { putEntry, readEntry } from '../cache/entries.ts'

export interface RemoteFileDeps {
  guardedFetch: GuardedFetch
  cache: ObjectCache
  log: Log
}

export interface RemoteFile {
  bytes: Uint8Array
  /** Media type in lower case and without parameters; empty if missing. */
  type: string
  /** URL after redirects. */
  url: string
}

/** `fault` is a message for the author of the site. */
export type RemoteFetch = (url: string) => Promise<RemoteFile | { fault: string }>

/** Number of consecutive failures after which a server is skipped in the same render. */
const MAX_FAILURES = 3
const FILE_OPTIONS: RemoteOptions = {
  timeoutMs: 30_000,
  maxBytes: 25 * 1024 * 1024,
  headers: {
    // Font services select the font format for the browser in this header.
    'user-agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  },
}

export type RemoteOptions = Pick<GuardedRequest, 'timeoutMs' | 'maxBytes' | 'headers'>

interface CachedFile {
  etag: string | null
  modified: string | null
  type: string
  url: string
  sha256: string
}

/** Requests each URL at most once. Rejects only if `signal` aborts; failures of remote servers are results. */
export function createRemoteFetch(deps: RemoteFileDeps, signal: AbortSignal): RemoteFetch {
  const requests = new Map<string, ReturnType<RemoteFetch>>()
  const failures = new Map<string, number>()
  const startFetch: RemoteFetch = async (url) => {
    const host = URL.parse(url)?.host ?? ''
    if ((failures.get(host) ?? 0) >= MAX_FAILURES)
      return fallBackToCached(deps, url, `${host} does not respond.`)
    try {
      const file = await fetchCached(deps, url, FILE_OPTIONS, signal)
      failures.delete(host)
      return file
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error
      if (error.kind === 'failed' || error.kind === 'timeout')
        failures.set(host, (failures.get(host) ?? 0) + 1)
      deps.log.warn({ url, kind: error.kind }, 'remote.fetch_failed')
      return fallBackToCached(deps, url, error.message)
    }
  }
  return (url) => {
    const pending = requests.get(url) ?? startFetch(url)
    requests.set(url, pending)
    return pending
  }
}

/** Rejects with GuardedFetchError. */
export async function fetchCached(
  deps: RemoteFileDeps,
  url: string,
  { headers, ...limits }: RemoteOptions,
  signal: AbortSignal,
): ReturnType<RemoteFetch> {
  const cachedFile = await readCached(deps.cache, url)
  const answer = await deps.guardedFetch.fetch(url, {
    ...limits,
    headers: {
      ...headers,
      ...(cachedFile?.etag ? { 'if-none-match': cachedFile.etag } : {}),
      ...(cachedFile?.modified ? { 'if-modified-since': cachedFile.modified } : {}),
    },
    signal,
  })
  if (answer.status === 304)
    return fallBackToCached(deps, url, 'The server answered 304 to an unconditional request.')
  if (answer.status !== 200) return fallBackToCached(deps, url, `The server answered ${answer.status}.`)
  return storeFile(deps.cache, url, answer)
}

async function storeFile(cache: ObjectCache, url: string, answer: GuardedResponse): Promise<RemoteFile> {
  const type = (joinHeader(answer.headers['content-type']) ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const digest = sha256(answer.body)
  await cache.put(contentName(digest), answer.body)
  const cachedFile: CachedFile = {
    etag: joinHeader(answer.headers.etag),
    modified: joinHeader(answer.headers['last-modified']),
    type,
    url: answer.url,
    sha256: digest,
  }
  await putEntry(cache, entryName(url), cachedFile)
  return { bytes: answer.body, type, url: answer.url }
}

/** Returns the cached file, or the fault if there is none. */
export async function fallBackToCached(
  deps: RemoteFileDeps,
  url: string,
  fault: string,
): ReturnType<RemoteFetch> {
  const cachedFile = await readCached(deps.cache, url)
  return cachedFile ? { bytes: cachedFile.bytes, type: cachedFile.type, url: cachedFile.url } : { fault }
}

async function readCached(
  cache: ObjectCache,
  url: string,
): Promise<(CachedFile & { bytes: Uint8Array }) | null> {
  const cachedFile = await readEntry<CachedFile>(cache, entryName(url))
  if (cachedFile === null) return null
  const bytes = await cache.read(contentName(cachedFile.sha256))
  return bytes && { ...cachedFile, bytes }
}

function entryName(url: string): string {
  return `remote file ${url}`
}

function contentName(digest: string): string {
  return `remote content ${digest}`
}

function joinHeader(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}
