/**
 * Sizes of pictures that lie on other servers, so that a page does not move when they come. A picture says its size in
 * its first bytes, which are all that is asked for. What a server said is kept by the address of the picture: one that
 * changes its shape is shown right all the same, since browsers go by the picture once it is there.
 */
import { mapBounded } from '../../base/bounded.ts'
import { GuardedFetchError } from '../../base/guarded-fetch.ts'
import { sha256 } from '../../base/hash.ts'
import { putEntry, readEntry } from '../versions/cache-entries.ts'
import { type PictureSize, pictureSize } from './image-sizes.ts'
import type { RemoteFileDeps } from './remote-files.ts'

/** By address, of those that are known. Never rejects because of another server. */
export type SizeFetch = (urls: readonly string[]) => Promise<ReadonlyMap<string, PictureSize>>

/** Behind the remarks that cameras leave there, too. */
const HEAD_BYTES = 128 * 1024
/** Of one site; further pictures are shown without a size. */
const MOST_PICTURES = 1000
const AT_ONCE = 8
/** A build waits this long for all of them together, and for one. */
const ALL_MS = 10_000
const ONE_MS = 4000
/** A server that failed this often in a row is not asked again in the same build. */
const MOST_FAILURES = 3

/** Of no picture, now and later; all other refusals may pass. */
const GONE: ReadonlySet<number> = new Set([404, 410])

/** Null for what is no picture. */
interface KeptSize {
  size: PictureSize | null
}

export function createSizeFetch(
  { guardedFetch, objects, log }: RemoteFileDeps,
  signal: AbortSignal,
): SizeFetch {
  const failures = new Map<string, number>()

  /** Null for what the server would not say. */
  const ask = async (url: string, timeoutMs: number): Promise<KeptSize | null> => {
    const host = URL.parse(url)?.host ?? ''
    if ((failures.get(host) ?? 0) >= MOST_FAILURES) return null
    try {
      const { status, body } = await guardedFetch.fetch(url, {
        headers: { range: `bytes=0-${HEAD_BYTES - 1}` },
        timeoutMs,
        maxBytes: HEAD_BYTES,
        onLarger: 'cut',
        signal,
      })
      if (status === 200 || status === 206) {
        failures.delete(host)
        return { size: pictureSize(body) }
      }
      if (GONE.has(status)) return { size: null }
      failures.set(host, (failures.get(host) ?? 0) + 1)
      return null
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error
      if (error.kind === 'failed' || error.kind === 'timeout')
        failures.set(host, (failures.get(host) ?? 0) + 1)
      log.debug({ url, kind: error.kind }, 'remote.size_unknown')
      return null
    }
  }

  return async (urls) => {
    const sizes = new Map<string, PictureSize>()
    const end = performance.now() + ALL_MS
    await mapBounded(urls.slice(0, MOST_PICTURES), AT_ONCE, async (url) => {
      const key = `remote/${sha256(`size of ${url}`)}.json.gz`
      const kept = await readEntry<KeptSize>(objects, key)
      const left = end - performance.now()
      const found = kept ?? (left > 0 ? await ask(url, Math.min(ONE_MS, left)) : null)
      if (found?.size) sizes.set(url, found.size)
      if (found && kept === null) await putEntry(objects, key, found)
    })
    return sizes
  }
}
