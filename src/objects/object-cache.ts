/** Build cache of a project: results by the digest of their inputs. */
import { sha256 } from '../base/hash.ts'
import { seal, unseal } from './object-kinds.ts'
import { ObjectMissingError, type ObjectStore } from './object-store.ts'

export interface ObjectCache {
  /** Returns null if the entry is missing or damaged. */
  read(name: string): Promise<Uint8Array | null>
  /** Resolves even if the entry cannot be stored. */
  put(name: string, content: Uint8Array): Promise<void>
  /** Whether the cache was empty when it was opened. */
  readonly isEmpty?: boolean
  /** Whether the cache is deleted after the build. If so, data in memory need not be stored in it as well. */
  readonly isTemporary?: boolean
}

export function cachePrefix(projectId: string): string {
  return `cache/${projectId}/`
}

/** Restricts the names that sandboxed processes may use. */
export const ENTRY_NAME = /^[0-9a-f]{64}$/

export function entryName(name: string): string {
  return ENTRY_NAME.test(name) ? name : sha256(name)
}

export function openObjectCache(objects: Pick<ObjectStore, 'read' | 'put'>, projectId: string): ObjectCache {
  const keyOf = (name: string) => cachePrefix(projectId) + entryName(name)
  return {
    read: async (name) => {
      const key = keyOf(name)
      try {
        return unseal(key, await objects.read(key))
      } catch (error) {
        if (error instanceof ObjectMissingError) return null
        throw error
      }
    },
    put: async (name, content) => {
      const key = keyOf(name)
      await objects.put(key, seal(key, content))
    },
  }
}

/** Disables reads, for builds that must not reuse earlier results. */
export function createWriteOnlyCache(cache: ObjectCache): ObjectCache {
  return { ...cache, read: async () => null }
}
