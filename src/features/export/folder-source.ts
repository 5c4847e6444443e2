/** Opens a docs folder for the command line, with its cache and files fetched from other servers. */
import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { type ExportDeployment, type FeatureChoices, resolveFeatures } from '../../base/api/features.ts'
import type { FileDates, FileTree } from '../../base/files/file-tree.ts'
import { contentRevision, createDigestCache, openFolderTree } from '../../base/files/folder-tree.ts'
import { createLog, type Log } from '../../base/log.ts'
import { createGuardedFetch } from '../../base/net/guarded-fetch.ts'
import { folderDates } from '../../git/file-dates.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import type { BuildDeps, BuildRequest } from '../../render/build.ts'
import { openFolderCache, openTemporaryCache } from '../../render/cache/folder-cache.ts'
import { createSizeFetch } from '../../render/remote/picture-sizes.ts'
import { createRemoteFetch } from '../../render/remote/remote-files.ts'
import { createSpecFetch } from '../../render/remote/remote-specs.ts'
import type { Audience } from '../../site/pages/page-readers.ts'

export interface FolderInput {
  folder: string
  /** Folder in which render results are cached for the next build. Without it, they are discarded. */
  cacheFolder?: string | undefined
  /** Prevents all requests to other servers. */
  isOffline?: boolean
  /** Command for samples in languages that Octavo does not run; not run by default. */
  sampleRunner?: string | null
  /** Defaults to a log on standard error. */
  log?: Log
  signal: AbortSignal
}

export interface FolderSource extends AsyncDisposable {
  tree: FileTree
  deps: Omit<BuildDeps, 'files'>
}

/** `without` lists folders whose files are not part of the site. */
export async function openFolderSource(
  {
    folder,
    cacheFolder,
    sampleRunner = null,
    isOffline = false,
    log = createLog('warn'),
    signal,
  }: FolderInput,
  without: readonly string[] = [],
): Promise<FolderSource> {
  await using opening = new AsyncDisposableStack()
  const root = await realpath(folder).catch(() => folder)
  const found = cacheFolder === undefined ? null : openFolderCache(cacheFolder)
  const cache = opening.use(found ?? (await openTemporaryCache()))
  const tree = opening.use(await openFolderTree(folder, createDigestCache()))
  const remote = { guardedFetch: opening.use(createGuardedFetch()), cache, log }
  const fetches = {
    fetchSpec: createSpecFetch(remote, signal),
    fetchRemote: createRemoteFetch(remote, signal),
    fetchSizes: createSizeFetch(remote, signal),
  }
  let dates: Promise<FileDates | null> | null = null
  const dated = { ...tree, dates: () => (dates ??= findDates(root, cache)) }
  const open = opening.move()
  return {
    tree: excludeFolders(dated, root, without),
    deps: { cache, log, sampleRunner, ...(isOffline ? {} : fetches) },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function findDates(root: string, cache: ObjectCache): Promise<FileDates | null> {
  const name = `dates ${root}`
  return folderDates(root, {
    read: async () => {
      const bytes = await cache.read(name)
      return bytes && Buffer.from(bytes).toString()
    },
    write: (text) => cache.put(name, Buffer.from(text)),
  })
}

function excludeFolders(tree: FileTree, root: string, folders: readonly string[]): FileTree {
  const prefixes = folders.map((folder) => `${relative(root, folder).split(sep).join('/')}/`)
  const files = new Map(
    [...tree.files].filter(([path]) => !prefixes.some((prefix) => path.startsWith(prefix))),
  )
  if (files.size === tree.files.size) return tree
  return { ...tree, files, revision: contentRevision(files) }
}

export interface FolderBuildOptions {
  deployment: ExportDeployment
  /** Public URL of the pages, without a trailing slash. Defaults to the URL in docs.json. */
  origin?: string
  audience?: Audience
  features?: FeatureChoices
}

export function createFolderRequest({
  deployment,
  origin,
  audience,
  features,
}: FolderBuildOptions): BuildRequest {
  return {
    deployment,
    ...(origin === undefined ? {} : { origin }),
    ...(audience === undefined ? {} : { audience }),
    features: resolveFeatures(deployment, features),
    siteId: null,
    platformUrl: null,
    widgets: {},
    repository: null,
  }
}
