/** Collects the files of a site version: writes their content to the store and lists them. */
import { constants, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { sha256 } from '../../base/hash.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { GZIP_LEVEL, putBlob, putMember } from './blobs.ts'
import { getContentType } from './content-types.ts'
import { createFullText, type FullText, fileSink, packedSink, type WholeText } from './full-text.ts'
import type { ManifestFile } from './manifest.ts'
import { compareCodeUnits } from './output-names.ts'

export interface SiteFiles {
  /** Adds a file, unless the path already exists. */
  add(path: string, content: string | Uint8Array): Promise<void>
  /** Opens a text that is built of many pieces and then written to one or several paths. */
  openText(): FullText
  addText(paths: readonly string[], text: WholeText): Promise<void>
  has(path: string): boolean
  /** Sorted by path. */
  list(): Record<string, ManifestFile>
}

/**
 * Writes to a store, each file as a gzip member. Blobs in `stored` (SHA-256) are known to exist and are not looked
 * up. Looking up each file of a layout took most of the time of a small site.
 */
export function createSiteFiles(
  objects: Pick<ObjectStore, 'head' | 'put'>,
  stored: ReadonlySet<string> = new Set(),
): SiteFiles {
  return listing({
    add: (path, content) => putBlob(objects, path, content, stored),
    openText: () => createFullText(packedSink(GZIP_LEVEL)),
    addText: async (paths, { content, ...about }) => {
      if (!('member' in content)) throw new Error('the text is a file, but a store needs packed text')
      const [first = ''] = paths
      return putMember(objects, first, { ...about, member: content.member })
    },
  })
}

/** Smaller files are written directly; writing them in a thread costs several times as much. */
const SMALL_BYTES = 256 * 1024

export function createFolderFiles(folder: string): SiteFiles {
  const createdFolders = new Set<string>()
  let texts = 0
  const targetPath = (path: string) => {
    const filePath = join(folder, path)
    if (!filePath.startsWith(folder + sep)) throw new Error(`the path ${path} is outside the output folder`)
    const parent = dirname(filePath)
    if (!createdFolders.has(parent)) mkdirSync(parent, { recursive: true })
    createdFolders.add(parent)
    return filePath
  }
  return listing({
    add: async (path, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (bytes.byteLength > SMALL_BYTES) await writeFile(targetPath(path), bytes)
      else writeFileSync(targetPath(path), bytes)
      return { sha256: sha256(bytes), sizeBytes: bytes.byteLength, contentType: getContentType(path) }
    },
    openText: () => createFullText(fileSink(targetPath(`.octavo-text-${++texts}`))),
    addText: async (paths, { content, sha256, sizeBytes }) => {
      if (!('path' in content)) throw new Error('the text is packed, but a folder needs a file')
      const [first = '', ...others] = paths
      renameSync(content.path, targetPath(first))
      for (const path of others) copyFileSync(targetPath(first), targetPath(path), constants.COPYFILE_FICLONE)
      return { sha256, sizeBytes, contentType: getContentType(first) }
    },
  })
}

interface FileStorage {
  add(path: string, content: string | Uint8Array): Promise<ManifestFile>
  openText(): FullText
  addText(paths: readonly string[], text: WholeText): Promise<ManifestFile>
}

function listing(storage: FileStorage): SiteFiles {
  const files = new Map<string, ManifestFile | null>()
  return {
    add: async (path, content) => {
      if (files.has(path)) return
      files.set(path, null)
      files.set(path, await storage.add(path, content))
    },
    openText: () => storage.openText(),
    addText: async (paths, text) => {
      const free = paths.filter((path) => !files.has(path))
      if (free.length === 0) return discardText(text)
      const file = await storage.addText(free, text)
      for (const path of free) files.set(path, file)
    },
    has: (path) => files.has(path),
    list: () => {
      const list: Record<string, ManifestFile> = {}
      for (const path of [...files.keys()].sort(compareCodeUnits)) {
        const file = files.get(path)
        if (file) list[path] = file
      }
      return list
    },
  }
}

export function discardText({ content }: WholeText): void {
  if ('path' in content) rmSync(content.path, { force: true })
}

/**
 * Discards contents, for a render that only collects problems. Stores just the names, so that each path is used once.
 */
export function createDiscardingFiles(): SiteFiles {
  const paths = new Set<string>()
  return {
    add: async (path) => void paths.add(path),
    openText: () => createFullText({ write: () => {}, end: () => ({ member: new Uint8Array() }) }),
    addText: async () => {},
    has: (path) => paths.has(path),
    list: () => ({}),
  }
}
