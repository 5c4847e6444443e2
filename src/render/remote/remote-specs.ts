/**
 * API descriptions from other servers. Downloads are cached by URL, so that a temporarily unavailable server has no
 * effect, and an unchanged file ("not modified") is not sent again.
 */

import type { Log } from '../../base/log.ts'
import { type GuardedFetch, GuardedFetchError } from '../../base/net/guarded-fetch.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { MAX_SPEC_BYTES, type SpecFetch } from '../../site/reference/spec-sources.ts'
import { putEntry, readEntry } from '../cache/entries.ts'

export interface RemoteSpecDeps {
  guardedFetch: GuardedFetch
  cache: ObjectCache
  log: Log
}

const TIMEOUT_MS = 20_000

interface CachedSpec {
  etag: string | null
  text: string
}

/** Never rejects because of the other server; rejects if `signal` aborts. */
export function createSpecFetch(
  { guardedFetch, cache, log }: RemoteSpecDeps,
  signal: AbortSignal,
): SpecFetch {
  return async (url) => {
    const name = `remote description ${url}`
    const cachedSpec = await readEntry<CachedSpec>(cache, name)
    try {
      const answer = await guardedFetch.fetch(url, {
        headers: cachedSpec?.etag ? { 'if-none-match': cachedSpec.etag } : {},
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_SPEC_BYTES,
        signal,
      })
      if (cachedSpec && answer.status === 304) return { bytes: Buffer.from(cachedSpec.text) }
      if (answer.status !== 200) return fallBackToCached(cachedSpec, `The server answered ${answer.status}.`)
      const { etag } = answer.headers
      const text = new TextDecoder().decode(answer.body)
      const spec: CachedSpec = { etag: typeof etag === 'string' ? etag : null, text }
      await putEntry(cache, name, spec)
      return { bytes: answer.body }
    } catch (error) {
      if (!(error instanceof GuardedFetchError)) throw error
      log.warn({ url, kind: error.kind, isKept: cachedSpec !== null }, 'spec.fetch_failed')
      return fallBackToCached(cachedSpec, error.message)
    }
  }
}

function fallBackToCached(cachedSpec: CachedSpec | null, fault: string): Awaited<ReturnType<SpecFetch>> {
  return cachedSpec ? { bytes: Buffer.from(cachedSpec.text) } : { fault }
}
