/** What was made last, by the name of what it was made of; the oldest goes first. A promise that rejects is not kept. */
export interface KeptFew<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

export function keepFew<Value>(most: number): KeptFew<Value> {
  const kept = new Map<string, Value>()
  return {
    get(key) {
      const value = kept.get(key)
      if (value === undefined) return undefined
      kept.delete(key)
      kept.set(key, value)
      return value
    },
    set(key, value) {
      kept.delete(key)
      kept.set(key, value)
      if (value instanceof Promise)
        value.catch(() => {
          if (kept.get(key) === value) kept.delete(key)
        })
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
  }
}
