/** The build cache of one project: results by the digest of their inputs. */
import { sha256 } from '../base/hash.ts'
import { seal, unseal } from './object-kinds.ts'
import { ObjectMissingError, type ObjectStore } from './object-store.ts'

export interface ObjectCache {
  /** Null when it is not there, or not what was put. */
  read(name: string): Promise<Uint8Array | null>
  /** Resolves also where it could not be stored. */
  put(name: string, content: Uint8Array): Promise<void>
  /** Nothing was in it when it was opened. */
  readonly isEmpty?: boolean
  /** Gone when the build is over: what is in memory need not be put. */
  readonly isTemporary?: boolean
}

/** Keys of all entries of a project begin so. */
export function cachePrefix(projectId: string): string {
  return `cache/${projectId}/`
}

/** The names that a process which reads untrusted text may use. */
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

/** For builds that must not meet what an earlier one has left. */
export function withoutReading(cache: ObjectCache): ObjectCache {
  return { ...cache, read: async () => null }
}
