/** LRU cache for expensive values, limited by number of entries or by memory. */
import { LRUCache } from 'lru-cache'

export interface AsyncCache<Value> {
  /** Returns the cached value, or creates it. Concurrent callers share one call; failures are not cached. */
  get(key: string, make: () => Promise<Value>): Promise<Value>
  peek(key: string): Value | undefined
  delete(key: string): void
}

/** Limit of a cache. `sizeOf` returns bytes; a value larger than `maxSize` is returned but not cached. */
type CacheLimit<Value> = { max: number } | { maxSize: number; sizeOf(value: Value): number }

export function createAsyncCache<Value>(bound: CacheLimit<Value>): AsyncCache<Value> {
  // Values are wrapped, because the library cannot cache null and undefined.
  const cache = new LRUCache<string, { value: Value }, () => Promise<Value>>({
    ...('max' in bound
      ? { max: bound.max }
      : {
          maxSize: bound.maxSize,
          sizeCalculation: ({ value }) => Math.max(1, Math.ceil(bound.sizeOf(value))),
        }),
    fetchMethod: async (_key, _stale, { context: make }) => ({ value: await make() }),
    // Waiting callers receive the value even if its entry is deleted in the meantime.
    ignoreFetchAbort: true,
  })
  return {
    get: async (key, make) => (await cache.forceFetch(key, { context: make })).value,
    peek: (key) => cache.get(key)?.value,
    delete: (key) => void cache.delete(key),
  }
}

/** Caches the result for the given time. Concurrent calls share one result, and failures are not cached. */
export function cacheResultFor<Answer>(ms: number, load: () => Promise<Answer>): () => Promise<Answer> {
  let cached: { at: number; answer: Promise<Answer> } | null = null
  return () => {
    if (cached !== null && performance.now() - cached.at <= ms) return cached.answer
    const loading = { at: performance.now(), answer: load() }
    cached = loading
    loading.answer.catch(() => {
      if (cached === loading) cached = null
    })
    return loading.answer
  }
}
