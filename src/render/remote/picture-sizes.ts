/**
 * Sizes of pictures that lie on other servers, so that a page does not move when they come. A picture says its size in
 * its first bytes, which are all that is asked for. What a server said is kept by the address of the picture: one that
 * changes its shape is shown right all the same, since browsers go by the picture once it is there.
 */
import { createFairGate } from '../../base/fair-gate.ts'
import { GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import { putEntry, readEntry } from '../cache/entries.ts'
import { type PictureSize, pictureSize } from './image-sizes.ts'
import type { RemoteFileDeps } from './remote-files.ts'

/** Each address is asked once. */
export interface SizeFetch {
  /** Begins to ask, so that less is left to wait for. */
  ask(urls: readonly string[]): void
  /** By address, of those that are known. Never rejects because of another server. */
  find(urls: readonly string[]): Promise<ReadonlyMap<string, PictureSize>>
}

/** Behind the remarks that cameras leave there, too. */
const HEAD_BYTES = 128 * 1024
/** Of one site; further pictures are shown without a size. */
const MOST_PICTURES = 1000
const AT_ONCE = 8
/** A build waits this long for all of them together once it needs them, and for one. */
const ALL_MS = 10_000
const ONE_MS = 4000
/** A server that failed this often in a row is not asked again in the same build. */
const MOST_FAILURES = 3

/** Of no picture, now and later; all other refusals may pass. */
const GONE: ReadonlySet<number> = new Set([404, 410])

/** Milliseconds until a server that did not answer is asked by another build. */
const SILENT_MS = 3_600_000

/** Null for what is no picture. */
interface KeptSize {
  size: PictureSize | null
}

export function createSizeFetch(deps: RemoteFileDeps, signal: AbortSignal): SizeFetch {
  const { cache } = deps
  const gate = createFairGate(AT_ONCE)
  const hosts = createHosts(cache)
  const answers = new Map<string, Promise<KeptSize | null>>()
  let end = Number.POSITIVE_INFINITY

  const learn = async (url: string): Promise<KeptSize | null> => {
    using _place = await gate.enter([], signal)
    const name = `remote size ${url}`
    const kept = await readEntry<KeptSize>(cache, name)
    if (kept !== null) return kept
    const host = URL.parse(url)?.host ?? ''
    const left = end - performance.now()
    if (left <= 0 || !(await hosts.mayAsk(host))) return null
    const answer = await askFor(deps, url, { timeoutMs: Math.min(ONE_MS, left), signal })
    if (answer === 'silent') hosts.failed(host)
    if (answer === 'silent' || answer === 'refused') return null
    hosts.answered(host)
    await putEntry(cache, name, answer)
    return answer
  }

  const answerTo = (url: string): Promise<KeptSize | null> => {
    const answer = answers.get(url) ?? learn(url)
    answers.set(url, answer)
    return answer
  }

  return {
    ask: (urls) => {
      for (const url of urls) if (answers.size < MOST_PICTURES) answerTo(url).catch(() => {}) // told to who waits
    },
    find: async (urls) => {
      end = performance.now() + ALL_MS
      const sizes = new Map<string, PictureSize>()
      const learnt = urls.slice(0, MOST_PICTURES).map(async (url) => {
        const found = await answerTo(url)
        if (found?.size) sizes.set(url, found.size)
      })
      await Promise.all(learnt)
      await hosts.keep()
      return sizes
    },
  }
}

/** `refused`: nothing can be said of the picture; `silent`: nor of others of that server. */
async function askFor(
  { guardedFetch, log }: RemoteFileDeps,
  url: string,
  request: { timeoutMs: number; signal: AbortSignal },
): Promise<KeptSize | 'refused' | 'silent'> {
  try {
    const { status, body } = await guardedFetch.fetch(url, {
      ...request,
      headers: { range: `bytes=0-${HEAD_BYTES - 1}` },
      maxBytes: HEAD_BYTES,
      onLarger: 'cut',
    })
    if (status === 200 || status === 206) return { size: pictureSize(body) }
    return GONE.has(status) ? { size: null } : 'silent'
  } catch (error) {
    if (!(error instanceof GuardedFetchError)) throw error
    log.debug({ url, kind: error.kind }, 'remote.size_unknown')
    return error.kind === 'failed' || error.kind === 'timeout' ? 'silent' : 'refused'
  }
}

/** Servers that failed several times in a row are left alone, and so are those that did not answer a build shortly before. */
function createHosts(cache: RemoteFileDeps['cache']) {
  const failures = new Map<string, number>()
  const answering = new Set<string>()
  const silent = new Map<string, Promise<boolean>>()
  const nameOf = (host: string) => `remote host ${host}`
  const wasSilent = async (host: string) => {
    const kept = await readEntry<{ until: number }>(cache, nameOf(host))
    return kept !== null && kept.until > Date.now()
  }
  return {
    mayAsk: async (host: string): Promise<boolean> => {
      const isSilent = silent.get(host) ?? wasSilent(host)
      silent.set(host, isSilent)
      return !(await isSilent) && (failures.get(host) ?? 0) < MOST_FAILURES
    },
    failed: (host: string): void => {
      failures.set(host, (failures.get(host) ?? 0) + 1)
    },
    answered: (host: string): void => {
      answering.add(host)
      failures.delete(host)
    },
    /** For the next build. */
    keep: async (): Promise<void> => {
      for (const host of failures.keys())
        if (!answering.has(host)) await putEntry(cache, nameOf(host), { until: Date.now() + SILENT_MS })
    },
  }
}
