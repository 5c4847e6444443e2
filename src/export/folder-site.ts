/** A folder of docs as the command line reads it: its files, its site, and what earlier runs have kept. */
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { FileTree } from '../base/file-tree.ts'
import { contentRevision, openFolderTree } from '../base/folder-tree.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { Log } from '../base/log.ts'
import { type ExportDeployment, type FeatureSet, resolveFeatures } from '../contract/features.ts'
import { openCacheFolder } from '../objects/cache-folder.ts'
import { openMemoryStore } from '../objects/memory-store.ts'
import { createRemoteFetch } from '../render/remote-files.ts'
import { createSpecFetch } from '../render/remote-specs.ts'
import type { RenderInput } from '../render/render-input.ts'
import type { RenderDeps } from '../render/render-scope.ts'
import { loadSite } from '../site/load-site.ts'

export interface FolderInput {
  folder: string
  deployment: ExportDeployment
  /** What earlier runs kept in the folder is used, and what this one makes kept there. */
  usesCache?: boolean
  log: Log
  signal: AbortSignal
}

export interface FolderSite {
  deps: Pick<RenderDeps, 'objects' | 'log' | 'fetchRemote'>
  /** Rejects with SiteUnloadableError when there is no site. */
  read(features?: Partial<FeatureSet>): Promise<RenderInput>
  [Symbol.asyncDispose](): Promise<void>
}

/** In the folder of docs; see cache-folder.ts. */
const CACHE_FOLDER = join('.octavo', 'cache')

/** Files below `without` are no part of the site. */
export async function openFolderSite(
  input: FolderInput & { without?: readonly string[] },
): Promise<FolderSite> {
  const { folder, deployment, log, signal, without = [] } = input
  await using opening = new AsyncDisposableStack()
  const root = await realpath(folder).catch(() => folder)
  const tree = withoutFolders(opening.use(await openFolderTree(folder)), root, without)
  const cache = input.usesCache ? await openCacheFolder(join(root, CACHE_FOLDER)) : null
  const objects = opening.use(cache ?? openMemoryStore())
  const guardedFetch = opening.use(createGuardedFetch())
  const deps = { guardedFetch, objects, log }
  const open = opening.move()
  return {
    deps: { objects, log, fetchRemote: createRemoteFetch(deps, signal) },
    read: async (features) => ({
      site: await loadSite(tree, { fetchSpec: createSpecFetch(deps, signal) }),
      tree,
      deployment,
      features: resolveFeatures(deployment, features),
      origin: null,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
    }),
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
