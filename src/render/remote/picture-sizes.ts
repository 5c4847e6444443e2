/**
 * Determines the sizes of remote images, to avoid layout shifts. Requests only the first bytes, which contain
 * the size. Caches results by URL. An image that changes later is displayed correctly, because browsers use
 * its actual size once it has loaded.
 */
import { createFairGate } from '../../base/fair-gate.ts'
import { GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import { putEntry, readEntry } from '../cache/entries.ts'
import { findImageSize, type ImageSize } from './image-sizes.ts'
import type { RemoteFileDeps } from './remote-files.ts'

/** Requests each URL at most once. */
export interface SizeFetch {
  /** Starts requests early, so that `find` takes less time. */
  prefetch(urls: readonly string[]): void
  /** Returns known sizes by URL. Failures of remote servers do not cause a rejection. */
  find(urls: readonly string[]): Promise<ReadonlyMap<string, ImageSize>>
}

/** Bytes requested of each image. Large enough to include the size, which may follow long camera metadata. */
const HEAD_BYTES = 128 * 1024
/** Maximum number of images per site whose size is requested. Sizes of further images are unknown. */
const MAX_PICTURES = 1000
const CONCURRENCY = 8
/** Time limits for all requests of a build, starting with the call of `find`, and for each single request. */
const TOTAL_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 4000
/** Number of consecutive failures after which a server is skipped in the same build. */
const MAX_FAILURES = 3

/** Statuses that are permanent failures: the image no longer exists. */
const GONE_STATUSES: ReadonlySet<number> = new Set([404, 410])

/** Milliseconds until another build contacts an unresponsive server again. */
const SILENT_HOST_RETRY_MS = 3_600_000

/** `size` is null if the URL is not an image. */
interface CachedSize {
  size: ImageSize | null
}

export function createSizeFetch(deps: RemoteFileDeps, signal: AbortSignal): SizeFetch {
  const { cache } = deps
  const gate = createFairGate(CONCURRENCY)
  const hosts = createHostTracker(cache)
  const answers = new Map<string, Promise<CachedSize | null>>()
  let end = Number.POSITIVE_INFINITY

  const fetchSize = async (url: string): Promise<CachedSize | null> => {
    using _slot = await gate.enter([], signal)
    const name = `remote size ${url}`
    const cached = await readEntry<CachedSize>(cache, name)
    if (cached !== null) return cached
    const host = URL.parse(url)?.host ?? ''
    const remainingMs = end - performance.now()
    if (remainingMs <= 0 || !(await hosts.mayAsk(host))) return null
    const answer = await requestSize(deps, url, {
      timeoutMs: Math.min(REQUEST_TIMEOUT_MS, remainingMs),
      signal,
    })
    if (answer === 'silent') hosts.failed(host)
    if (answer === 'silent' || answer === 'refused') return null
    hosts.answered(host)
    await putEntry(cache, name, answer)
    return answer
  }

  const answerTo = (url: string): Promise<CachedSize | null> => {
    const answer = answers.get(url) ?? fetchSize(url)
    answers.set(url, answer)
    return answer
  }

  return {
    prefetch: (urls) => {
      for (const url of urls) if (answers.size < MAX_PICTURES) answerTo(url).catch(() => {}) // `find` reports the error
    },
    find: async (urls) => {
      end = performance.now() + TOTAL_TIMEOUT_MS
      const sizes = new Map<string, ImageSize>()
      const lookups = urls.slice(0, MAX_PICTURES).map(async (url) => {
        const found = await answerTo(url)
        if (found?.size) sizes.set(url, found.size)
      })
      await Promise.all(lookups)
      await hosts.keep()
      return sizes
    },
  }
}

/** Returns `refused` if only the image is unavailable, and `silent` if its server is unavailable. */
async function requestSize(
  { guardedFetch, log }: RemoteFileDeps,
  url: string,
  request: { timeoutMs: number; signal: AbortSignal },
): Promise<CachedSize | 'refused' | 'silent'> {
  try {
    const { status, body } = await guardedFetch.fetch(url, {
      ...request,
      headers: { range: `bytes=0-${HEAD_BYTES - 1}` },
      maxBytes: HEAD_BYTES,
      onLarger: 'cut',
    })
    if (status === 200 || status === 206) return { size: findImageSize(body) }
    return GONE_STATUSES.has(status) ? { size: null } : 'silent'
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error
    log.debug({ url, kind: error.kind }, 'remote.size_unknown')
    return error.kind === 'failed' || error.kind === 'timeout' ? 'silent' : 'refused'
  }
}

/** Skips servers that failed several times in a row, or that did not respond to a recent build. */
function createHostTracker(cache: RemoteFileDeps['cache']) {
  const failures = new Map<string, number>()
  const answering = new Set<string>()
  const silent = new Map<string, Promise<boolean>>()
  const entryName = (host: string) => `remote host ${host}`
  const wasSilent = async (host: string) => {
    const cached = await readEntry<{ until: number }>(cache, entryName(host))
    return cached !== null && cached.until > Date.now()
  }
  return {
    mayAsk: async (host: string): Promise<boolean> => {
      const isSilent = silent.get(host) ?? wasSilent(host)
      silent.set(host, isSilent)
      return !(await isSilent) && (failures.get(host) ?? 0) < MAX_FAILURES
    },
    failed: (host: string): void => {
      failures.set(host, (failures.get(host) ?? 0) + 1)
    },
    answered: (host: string): void => {
      answering.add(host)
      failures.delete(host)
    },
    /** Stores unresponsive servers for later builds. */
    keep: async (): Promise<void> => {
      for (const host of failures.keys())
        if (!answering.has(host))
          await putEntry(cache, entryName(host), { until: Date.now() + SILENT_HOST_RETRY_MS })
    },
  }
}
