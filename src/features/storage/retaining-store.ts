/**
 * A store for code that reuses existing objects. Objects that are looked up, read for reuse, or put are first
 * removed from the list of scheduled deletions. Reading a file of a site for a reader does not count as
 * reuse.
 */
import type { CheckedStore } from '../../objects/checked-store.ts'
import { kindOf, OBJECT_KINDS } from '../../objects/object-kinds.ts'

/** `retain` resolves when the object can no longer be deleted. Disposing the store disposes `inner`. */
export function openRetainingStore(
  inner: CheckedStore,
  retain: (key: string) => Promise<void>,
): CheckedStore {
  const retainKey = async (key: string) => {
    if (kindOf(key) !== null) await retain(key)
  }
  const isUsedAgain = (key: string) => {
    const kind = kindOf(key)
    return kind !== null && OBJECT_KINDS[kind] === 'seal'
  }
  return {
    ...inner,
    async put(key, body, options) {
      await retainKey(key)
      return inner.put(key, body, options)
    },
    async head(key) {
      await retainKey(key)
      return inner.head(key)
    },
    async check(key) {
      await retainKey(key)
      return inner.check(key)
    },
    async read(key) {
      if (isUsedAgain(key)) await retainKey(key)
      return inner.read(key)
    },
  }
}

/** Batches keys: keys requested during a query are included in the next query. */
export function createRetainer(
  retainAll: (keys: readonly string[]) => Promise<void>,
): (key: string) => Promise<void> {
  let waiting: { keys: Set<string>; done: Promise<void> } | null = null
  let last: Promise<unknown> = Promise.resolve()
  return (key) => {
    if (waiting === null) {
      const keys = new Set<string>()
      const done = last.then(() => {
        waiting = null
        return retainAll([...keys])
      })
      waiting = { keys, done }
      last = done.catch(() => undefined)
    }
    waiting.keys.add(key)
    return waiting.done
  }
}
