/** The files of a site version as they come to be: content goes to the store at once, the list stays here. */
import type { ObjectStore } from '../objects/object-store.ts'
import { type BlobPress, putBlob, putMember } from './blobs.ts'
import type { ManifestFile } from './manifest.ts'
import { byCodeUnit } from './output-names.ts'

export interface SiteFiles {
  /** A path that is there already keeps its content. */
  add(path: string, content: string | Uint8Array): Promise<void>
  /** Content that is compressed already. */
  addMember(path: string, made: Parameters<typeof putMember>[2]): Promise<void>
  has(path: string): boolean
  /** Sorted by path. */
  list(): Record<string, ManifestFile>
}

export function createSiteFiles(objects: ObjectStore, press?: BlobPress): SiteFiles {
  const files = new Map<string, ManifestFile | null>()
  return {
    add: async (path, content) => {
      if (files.has(path)) return
      files.set(path, null)
      files.set(path, await putBlob(objects, path, content, press))
    },
    addMember: async (path, made) => {
      if (files.has(path)) return
      files.set(path, null)
      files.set(path, await putMember(objects, path, made))
    },
    has: (path) => files.has(path),
    list: () => {
      const list: Record<string, ManifestFile> = {}
      for (const path of [...files.keys()].sort(byCodeUnit)) {
        const file = files.get(path)
        if (file) list[path] = file
      }
      return list
    },
  }
}

/** For a render of which only the problems are wanted: keeps names, so that every path is taken once. */
export function dropFiles(): SiteFiles {
  const paths = new Set<string>()
  const add = async (path: string) => void paths.add(path)
  return { add, addMember: add, has: (path) => paths.has(path), list: () => ({}) }
}
