/** What is costly to make, least recently used first out, bounded by the memory that it takes. */

export interface KeptBytes<Value> {
  /** Made when it is not kept; those who ask meanwhile wait for the same one. What fails is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value>
  delete(key: string): void
}

interface Entry<Value> {
  value: Promise<Value>
  /** 0 until it is made. */
  bytes: number
}

/** `weigh` tells the bytes of a value; one that is heavier than `most` is given and not kept. */
export function keepBytes<Value>(most: number, weigh: (value: Value) => number): KeptBytes<Value> {
  const entries = new Map<string, Entry<Value>>()
  let sum = 0

  const remove = (key: string) => {
    sum -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  const start = (key: string, make: () => Promise<Value>): Entry<Value> => {
    const entry: Entry<Value> = { value: make(), bytes: 0 }
    const isThere = () => entries.get(key) === entry
    entry.value.then(
      (value) => {
        if (!isThere()) return
        entry.bytes = Math.max(1, weigh(value))
        sum += entry.bytes
        for (const [oldest, { bytes }] of entries) {
          if (sum <= most) break
          if (bytes > 0) remove(oldest) // the others are being made, and count later
        }
      },
      () => {
        if (isThere()) remove(key)
      },
    )
    return entry
  }

  return {
    get(key, make) {
      const entry = entries.get(key) ?? start(key, make)
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    delete: remove,
  }
}
