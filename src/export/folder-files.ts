/** The files of a folder of docs, and what earlier runs have kept there. Loads nothing that renders. */
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FileDates, FileTree } from '../base/file-tree.ts'
import {
  contentRevision,
  createFolderMemory,
  type FolderMemory,
  openFolderTree,
} from '../base/folder-tree.ts'
import { folderDates } from '../git/file-dates.ts'
import { type CacheFolder, openCacheFolder } from '../objects/cache-folder.ts'
import { type BuildStamp, type BuildWish, readBuildStamp } from './build-stamp.ts'

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

export interface WantedBuild extends BuildWish {
  /** Folders whose files are no part of the site. */
  without: readonly string[]
  /** Is told of a tree that holds something new as soon as it is read, before the output is looked at. */
  onNews(tree: FileTree, isNew: (digest: string) => boolean): Promise<void>
}

export async function openFolderFiles(
  { folder, usesCache = false }: FolderFilesInput,
  build: WantedBuild | null = null,
): Promise<FolderFiles> {
  await using opening = new AsyncDisposableStack()
  const root = await realpath(folder).catch(() => folder)
  const cache = usesCache ? await openCacheFolder(join(root, CACHE_FOLDER)) : null
  if (cache) opening.use(cache)
  let dates: Promise<FileDates | null> | null = null
  const openTree = async (memory: FolderMemory) => {
    const tree = opening.use(await openFolderTree(folder, memory))
    return withoutFolders(
      { ...tree, dates: () => (dates ??= findDates(root, cache)) },
      root,
      build?.without ?? [],
    )
  }
  const read = cache && build && (await readBuildStamp(cache, build))
  const tree = await openTree(read?.memory ?? createFolderMemory())
  const isNew = cache === null || cache.isNew ? () => true : read?.isNewIn(tree)
  if (isNew) await build?.onNews(tree, isNew)
  const stamp = read?.open() ?? null
  const isAsRead = stamp === null || stamp.memory === read?.memory
  const found = { tree: isAsRead ? tree : await openTree(stamp.memory), cache, stamp }
  const open = opening.move()
  return {
    ...found,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

const DATES = 'stamps/dates.json'

function findDates(root: string, cache: CacheFolder | null): Promise<FileDates | null> {
  if (cache === null) return folderDates(root, null)
  return folderDates(root, {
    read: () =>
      cache.read(DATES).then(
        (bytes) => Buffer.from(bytes).toString(),
        () => null,
      ),
    write: async (text) => void (await cache.put(DATES, Buffer.from(text))),
  })
}

function withoutFolders(tree: FileTree, root: string, folders: readonly string[]): FileTree {
  const prefixes = folders.map((folder) => `${relative(root, folder).split(sep).join('/')}/`)
  const files = new Map(
    [...tree.files].filter(([path]) => !prefixes.some((prefix) => path.startsWith(prefix))),
  )
  if (files.size === tree.files.size) return tree
  return { ...tree, files, revision: contentRevision(files) }
}
