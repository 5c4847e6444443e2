import type { ObjectCache } from '../../objects/object-cache.ts'

export function createMemoryCache(): ObjectCache {
  const entries = new Map<string, Uint8Array>()
  return {
    read: async (name) => entries.get(name) ?? null,
    put: async (name, content) => void entries.set(name, content),
  }
}
