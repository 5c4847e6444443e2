/**
 * The folder of a preview, state by state. A state is the site as its files are now; while the settings cannot be read
 * it is the site with the settings as they were when they last could be.
 */

import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { contentRevision, createFolderMemory, openFolderTree } from '../base/files/folder-tree.ts'
import { sha256 } from '../base/hash.ts'
import type { LoadedSite } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import type { SpecFetch } from '../site/reference/spec-sources.ts'
import { loadAfter } from '../site/site-loader.ts'

export interface FolderState {
  /** Null when nothing can be made of the folder. */
  site: Site | null
  tree: FileTree
  /** Of the site, and of the settings that cannot be read. */
  problems: readonly Problem[]
  /** Paths that came, went or have other content since the last state. */
  changed: readonly string[]
}

export interface FolderStates {
  /** Null when nothing has changed. Rejects when the folder cannot be read. Used by one call at a time. */
  read(): Promise<FolderState | null>
}

/** Files that editors put beside the one that is written. */
const EDITOR_FILES = /(?:^|\/)(?:\.[^/]*\.sw[a-z]|\.#[^/]*|#[^/]*#|[^/]*~|4913)$/
const SETTINGS = ['docs.json', 'mint.json']
/** Settings that are no JSON, or that break off in the middle: most of what they said would be gone. */
const UNREADABLE = new Set(['config.json_syntax', 'config.json_unclosed'])
const MOST_READS = 5

export function createFolderStates(folder: string, fetchSpec: SpecFetch): FolderStates {
  const memory = createFolderMemory()
  let loaded: LoadedSite | null = null
  /** Settings that could be read, by path. */
  const good = new Map<string, { digest: string; bytes: Uint8Array }>()
  let last: FolderState | null = null

  const loadNext = async (tree: FileTree): Promise<Site> => {
    loaded = await loadAfter(loaded, tree, { fetchSpec })
    return loaded.site
  }

  const load = async (tree: FileTree): Promise<Pick<FolderState, 'site' | 'problems'>> => {
    const first = await tryLoad(loadNext(tree))
    const unread = first.problems.filter(({ code }) => UNREADABLE.has(code))
    const lost = [...unread.map(({ file }) => file), ...(first.site === null ? SETTINGS : [])]
    const files = new Map(
      lost.flatMap((file) => {
        const kept = good.get(file)
        return kept ? [[file, kept.bytes] as const] : []
      }),
    )
    if (files.size === 0) {
      if (unread.length === 0) await keepSettings(tree)
      return first
    }
    const { site, problems } = await tryLoad(loadNext(withContents(tree, files)))
    return { site, problems: [...(first.site === null ? first.problems : unread), ...problems] }
  }

  const keepSettings = async (tree: FileTree) => {
    for (const file of new Set([...SETTINGS, ...(loaded?.settingFiles ?? [])])) {
      const digest = tree.files.get(file)?.digest
      if (!file.endsWith('.json') || digest === undefined || good.get(file)?.digest === digest) continue
      good.set(file, { digest, bytes: await tree.read(file) })
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
      // A file that is written while it is read gives an error; the next look finds it whole.
      for (let reads = 1; ; reads++) {
        try {
          return await readOnce()
        } catch (error) {
          if (reads === MOST_READS || !isTooEarly(error)) throw error
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

/** The files have changed since they were listed. */
export function isTooEarly(error: unknown): boolean {
  return error instanceof Error && (error.name === 'FileChangedError' || error.name === 'FileMissingError')
}

function changedPaths(before: FileTree | null, now: FileTree): string[] {
  const [known, found] = [contentsOf(before), contentsOf(now)]
  const changed = [...found].flatMap(([path, content]) => (known.get(path) === content ? [] : path))
  const gone = [...known.keys()].filter((path) => !found.has(path))
  return [...changed, ...gone]
}

/** Of each path its digest, or why it was left out. */
function contentsOf(tree: FileTree | null): Map<string, string> {
  if (tree === null) return new Map()
  const files = [...tree.files].map(([path, { digest }]) => [path, digest] as const)
  const refused = tree.refused.map(({ path, reason }) => [path, reason] as const)
  return new Map([...files, ...refused])
}

function withoutEditorFiles(tree: FileTree): FileTree {
  const files = new Map([...tree.files].filter(([path]) => !EDITOR_FILES.test(path)))
  return files.size === tree.files.size ? tree : { ...tree, files, revision: contentRevision(files) }
}

/** The tree with other bytes in some of its files. */
function withContents(tree: FileTree, contents: ReadonlyMap<string, Uint8Array>): FileTree {
  const files = new Map(tree.files)
  for (const [path, bytes] of contents) files.set(path, { sizeBytes: bytes.length, digest: sha256(bytes) })
  return {
    ...tree,
    files,
    read: async (path) => contents.get(path) ?? tree.read(path),
  }
}
