/**
 * Reads successive states of a previewed folder. While its settings cannot be parsed, the last valid settings
 * are used.
 */

import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { contentRevision, createDigestCache, openFolderTree } from '../base/files/folder-tree.ts'
import { sha256 } from '../base/hash.ts'
import type { LoadedSite } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import type { SpecFetch } from '../site/reference/spec-sources.ts'
import { loadSiteIncrementally } from '../site/site-loader.ts'

export interface FolderState {
  /** Null if the site cannot be loaded. */
  site: Site | null
  tree: FileTree
  /** Problems of the site, including settings that cannot be parsed. */
  problems: readonly Problem[]
  /** Paths added, removed or modified since the last state. */
  changed: readonly string[]
}

export interface FolderStates {
  /**
   * Returns null if nothing has changed. Rejects if the folder cannot be read. Must not be called concurrently.
   */
  read(): Promise<FolderState | null>
}

/** Temporary files of editors. */
const EDITOR_FILES = /(?:^|\/)(?:\.[^/]*\.sw[a-z]|\.#[^/]*|#[^/]*#|[^/]*~|4913)$/
const SETTINGS_FILES = ['docs.json', 'mint.json']
/**
 * Codes of problems for settings that are not valid JSON. Such settings are not used, because their readable part lacks
 * most of the settings.
 */
const UNREADABLE_CODES = new Set(['config.json_syntax', 'config.json_unclosed'])
const MAX_READ_ATTEMPTS = 5

export function createFolderStates(folder: string, fetchSpec: SpecFetch): FolderStates {
  const memory = createDigestCache()
  let loaded: LoadedSite | null = null
  const lastValidSettings = new Map<string, { digest: string; bytes: Uint8Array }>()
  let last: FolderState | null = null

  const loadNext = async (tree: FileTree): Promise<Site> => {
    loaded = await loadSiteIncrementally(loaded, tree, { fetchSpec })
    return loaded.site
  }

  const load = async (tree: FileTree): Promise<Pick<FolderState, 'site' | 'problems'>> => {
    const first = await tryLoad(loadNext(tree))
    const unreadable = first.problems.filter(({ code }) => UNREADABLE_CODES.has(code))
    const unreadableFiles = [
      ...unreadable.map(({ file }) => file),
      ...(first.site === null ? SETTINGS_FILES : []),
    ]
    const files = new Map(
      unreadableFiles.flatMap((file) => {
        const validVersion = lastValidSettings.get(file)
        return validVersion ? [[file, validVersion.bytes] as const] : []
      }),
    )
    if (files.size === 0) {
      if (unreadable.length === 0) await rememberSettings(tree)
      return first
    }
    const { site, problems } = await tryLoad(loadNext(withContents(tree, files)))
    return { site, problems: [...(first.site === null ? first.problems : unreadable), ...problems] }
  }

  const rememberSettings = async (tree: FileTree) => {
    for (const file of new Set([...SETTINGS_FILES, ...(loaded?.settingFiles ?? [])])) {
      const digest = tree.files.get(file)?.digest
      if (!file.endsWith('.json') || digest === undefined || lastValidSettings.get(file)?.digest === digest)
        continue
      lastValidSettings.set(file, { digest, bytes: await tree.read(file) })
    }
  }

  const readOnce = async (): Promise<FolderState | null> => {
    const tree = withoutEditorFiles(await openFolderTree(folder, memory))
    const changed = changedPaths(last?.tree ?? null, tree)
    if (last && changed.length === 0) return null
    last = { ...(await load(tree)), tree, changed }
    return last
  }

  return {
    read: async () => {
      // Reads again if a file was modified while it was read.
      for (let reads = 1; ; reads++) {
        try {
          return await readOnce()
        } catch (error) {
          if (reads === MAX_READ_ATTEMPTS || !isStaleTreeError(error)) throw error
        }
      }
    },
  }
}

async function tryLoad(loading: Promise<Site>): Promise<{ site: Site | null; problems: readonly Problem[] }> {
  try {
    const site = await loading
    return { site, problems: site.problems }
  } catch (error) {
    if (error instanceof SiteUnloadableError) return { site: null, problems: error.problems }
    throw error
  }
}

/** Returns whether files were modified after they were listed. */
export function isStaleTreeError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'FileChangedError' || error.name === 'FileMissingError')
}

function changedPaths(before: FileTree | null, now: FileTree): string[] {
  const [previous, found] = [indexContents(before), indexContents(now)]
  const changed = [...found].flatMap(([path, content]) => (previous.get(path) === content ? [] : path))
  const removed = [...previous.keys()].filter((path) => !found.has(path))
  return [...changed, ...removed]
}

/** Maps paths to a digest, or to the reason why the file was left out. */
function indexContents(tree: FileTree | null): Map<string, string> {
  if (tree === null) return new Map()
  const files = [...tree.files].map(([path, { digest }]) => [path, digest] as const)
  const refused = tree.refused.map(({ path, reason }) => [path, reason] as const)
  return new Map([...files, ...refused])
}

function withoutEditorFiles(tree: FileTree): FileTree {
  const files = new Map([...tree.files].filter(([path]) => !EDITOR_FILES.test(path)))
  return files.size === tree.files.size ? tree : { ...tree, files, revision: contentRevision(files) }
}

function withContents(tree: FileTree, contents: ReadonlyMap<string, Uint8Array>): FileTree {
  const files = new Map(tree.files)
  for (const [path, bytes] of contents) files.set(path, { sizeBytes: bytes.length, digest: sha256(bytes) })
  return {
    ...tree,
    files,
    read: async (path) => contents.get(path) ?? tree.read(path),
  }
}
