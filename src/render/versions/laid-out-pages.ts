/**
 * Which pages the last check of a folder has laid out, by all that they are made of: to lay one out once more would tell
 * nothing new. It comes back from where anybody may have put it: what has not the form is as good as missing.
 */
import type { ObjectCache } from '../../objects/object-store.ts'
import { putPlain, readPlain } from './cache-entries.ts'

export interface LaidOutPages {
  has(path: string, key: string): boolean
  /** Is told of all pages that are right now. */
  keep(path: string, key: string): void
  save(): Promise<void>
}

/** To lay so many pages out once more costs less than to write down all anew. */
const FEW_PAGES = 32

export async function openLaidOutPages(objects: ObjectCache, place: string): Promise<LaidOutPages> {
  const stored = await readPlain<unknown>(objects, place)
  const last = new Map(Array.isArray(stored) ? stored.filter(isEntry) : [])
  const now = new Map<string, string>()
  const changes = () => {
    const same = [...now].filter(([path, key]) => last.get(path) === key).length
    return now.size - same + (last.size - same)
  }
  return {
    has: (path, key) => last.get(path) === key,
    keep: (path, key) => void now.set(path, key),
    save: async () => {
      if (last.size === 0 || changes() > FEW_PAGES) await putPlain(objects, place, JSON.stringify([...now]))
    },
  }
}

function isEntry(value: unknown): value is [path: string, key: string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
}
