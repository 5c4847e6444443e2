/** The files of a folder of docs, and what earlier runs have kept there. Loads nothing that renders. */
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FileTree } from '../base/file-tree.ts'
import { contentRevision, createFolderMemory, openFolderTree } from '../base/folder-tree.ts'
import { type CacheFolder, openCacheFolder } from '../objects/cache-folder.ts'
import { type BuildStamp, type BuildWish, openBuildStamp } from './build-stamp.ts'

export interface FolderFilesInput {
  folder: string
  /** What earlier runs kept in the folder is used, and what this one makes kept there. */
  usesCache?: boolean
}

export interface FolderFiles {
  tree: FileTree
  /** Null where nothing is kept. */
  cache: CacheFolder | null
  /** Of the last build to the same place; null where nothing is kept, and for what is no build. */
  stamp: BuildStamp | null
  [Symbol.asyncDispose](): Promise<void>
}

/** In the folder of docs; see cache-folder.ts. */
const CACHE_FOLDER = join('.octavo', 'cache')

/** Files below `without` are no part of the site. */
export async function openFolderFiles(
  { folder, usesCache = false }: FolderFilesInput,
  wish: BuildWish | null = null,
  without: readonly string[] = [],
): Promise<FolderFiles> {
  await using opening = new AsyncDisposableStack()
  const root = await realpath(folder).catch(() => folder)
  const cache = usesCache ? await openCacheFolder(join(root, CACHE_FOLDER)) : null
  if (cache) opening.use(cache)
  const stamp = cache && wish && (await openBuildStamp(cache, wish))
  const whole = opening.use(await openFolderTree(folder, stamp?.memory ?? createFolderMemory()))
  const open = opening.move()
  return {
    tree: withoutFolders(whole, root, without),
    cache,
    stamp,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function withoutFolders(tree: FileTree, root: string, folders: readonly string[]): FileTree {
  const prefixes = folders.map((folder) => `${relative(root, folder).split(sep).join('/')}/`)
  const files = new Map(
    [...tree.files].filter(([path]) => !prefixes.some((prefix) => path.startsWith(prefix))),
  )
  if (files.size === tree.files.size) return tree
  return { ...tree, files, revision: contentRevision(files) }
}
