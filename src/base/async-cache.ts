/** What is costly to make, least recently used first out, bounded by its number or by the memory that it takes. */
import { LRUCache } from 'lru-cache'

export interface AsyncCache<Value> {
  /** Made when it is not kept; those who ask meanwhile wait for the same one. What fails is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value>
  /** What is there already; undefined when it would have to be made or waited for. */
  kept(key: string): Value | undefined
  delete(key: string): void
}

/** `sizeOf` tells the bytes of a value; one that is larger than `maxSize` is given and not kept. */
type Bound<Value> = { max: number } | { maxSize: number; sizeOf(value: Value): number }

export function createAsyncCache<Value>(bound: Bound<Value>): AsyncCache<Value> {
  // The library keeps no null and no undefined.
  const cache = new LRUCache<string, { value: Value }, () => Promise<Value>>({
    ...('max' in bound
      ? { max: bound.max }
      : {
          maxSize: bound.maxSize,
          sizeCalculation: ({ value }) => Math.max(1, Math.ceil(bound.sizeOf(value))),
        }),
    fetchMethod: async (_key, _stale, { context: make }) => ({ value: await make() }),
    // Whoever waits gets what was being made, also when it was deleted meanwhile.
    ignoreFetchAbort: true,
  })
  return {
    get: async (key, make) => (await cache.forceFetch(key, { context: make })).value,
    kept: (key) => cache.get(key)?.value,
    delete: (key) => void cache.delete(key),
  }
}
