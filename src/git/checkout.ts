/** Opens a site's source as a FileTree: a folder as it is, or a repository at a commit. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import type { FileDates, FileTree } from '../base/files/file-tree.ts'
import { openFolderTree } from '../base/files/folder-tree.ts'
import { cachedFileDates, dateFile, folderDates } from './file-dates.ts'
import type { GitSettings } from './git.ts'
import { GitError } from './git-error.ts'
import { withLfsObjects } from './lfs-objects.ts'
import { locateFolder } from './locate-folder.ts'
import { type Mirror, openMirror } from './mirror.ts'
import { openCommitTree } from './push/commit-tree.ts'
import { type GitCredentials, parseRepository, type Repository } from './repository.ts'

export type TreeSource =
  | {
      /** A local folder. With `ref`, the repository that contains it is read at that commit. */
      kind: 'folder'
      path: string
      /** The repository is not searched above this folder; null searches up to the root of the file system. */
      root?: string | null
      docsFolder?: string | null
      ref?: string | null
    }
  | {
      kind: 'git'
      /** `https://…`, `ssh://…` or `git@host:path`. */
      repository: string
      /** Branch, tag or commit; null means the default branch. */
      ref?: string | null
      docsFolder?: string | null
      credentials?: GitCredentials
      /** Whether to fetch the content of Git LFS files. */
      fetchesLfs?: boolean | undefined
    }

export interface OpenTreeOptions {
  source: TreeSource
  /** Project whose copy of the repository is used. */
  projectId: string
  /** Folder of the repository copies. */
  mirrorsFolder: string
  settings?: GitSettings | undefined
  /** See MirrorOptions. */
  onDefaultBranch?: ((branch: string) => void) | undefined
  /** Also allow unencrypted repositories over http. */
  allowHttp?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Opens the files of the docs folder; the caller disposes the tree. Its revision is the commit, or `content:…` for a
 * folder without a ref. Rejects with GitError (see its reasons), FolderUnreadableError, or the signal's reason.
 */
export async function openTree(options: OpenTreeOptions): Promise<FileTree> {
  const { source, signal } = options
  const docsFolder = cleanDocsFolder(source.docsFolder ?? '')
  signal?.throwIfAborted()
  if (source.kind === 'git') {
    const { repository, ref = null, credentials, fetchesLfs } = source
    return await openAtCommit(options, {
      repository,
      credentials,
      fetchesLfs,
      allowLocal: false,
      ref,
      docsFolder,
    })
  }
  if (source.ref) {
    const { repository, inside } = locateFolder(source.path, source.root ?? null)
    const inner = [inside, docsFolder].filter(Boolean).join('/')
    return await openAtCommit(options, { repository, allowLocal: true, ref: source.ref, docsFolder: inner })
  }
  const folder = await docsFolderIn(source.path, docsFolder)
  const tree = await openFolderTree(folder)
  const { settings } = options
  const dates = () => folderDates(folder, null, { root: source.root ?? null, settings, signal })
  return { ...tree, dates: memoize(dates) }
}

async function openAtCommit(
  { mirrorsFolder, projectId, settings, onDefaultBranch, allowHttp = false, signal }: OpenTreeOptions,
  wanted: {
    repository: string
    credentials?: GitCredentials | undefined
    fetchesLfs?: boolean | undefined
    allowLocal: boolean
    ref: string | null
    docsFolder: string
  },
): Promise<FileTree> {
  const { credentials, fetchesLfs, allowLocal, ref, docsFolder } = wanted
  const repository = parseRepository(wanted.repository, { credentials, allowLocal, allowHttp })
  const mirror = openMirror({ folder: mirrorsFolder, projectId, repository, settings, onDefaultBranch })
  const { address } = repository
  const place = { docsFolder, address, settings, signal }
  const lfs = fetchesLfs ? repository : null
  const tree = await openInMirror(mirror, () => mirror.fetchCommit(ref, signal), { ...place, lfs })
  const history = openMirror({
    ...{ folder: mirrorsFolder, projectId, repository, settings, history: 'folders' },
    ...{ fetchTimeoutMs: HISTORY_TIMEOUT_MS, maxFetchBytes: MAX_HISTORY_BYTES },
  })
  return { ...tree, dates: memoize(() => readDates(history, tree.revision, place)) }
}

/** Limits for fetching history; a repository beyond them has no file dates. */
const HISTORY_TIMEOUT_MS = 120_000
const MAX_HISTORY_BYTES = 2 ** 30

/** If the history is unavailable, pages have no dates, but the site is still built. */
async function readDates(
  history: Mirror,
  commit: string,
  { docsFolder, settings, signal }: { docsFolder: string } & Pick<OpenTreeOptions, 'settings' | 'signal'>,
): Promise<FileDates> {
  try {
    await history.ensureCommit(commit, signal)
    const { gitDir } = history
    return await cachedFileDates(dateFile(join(gitDir, 'octavo-dates.json')), {
      ...{ gitDir, commit, folder: docsFolder, settings, signal },
    })
  } catch (error) {
    if (!(error instanceof GitError) || signal?.aborted) throw error
    if (isDamagedCopy(error)) await history.markDamaged()
    return { dates: new Map(), isWhole: false }
  }
}

function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    done ??= work()
    return done
  }
}

/** Opens the commit returned by `bring`. If the mirror is damaged, recreates it and tries once more. */
export async function openInMirror(
  mirror: Mirror,
  resolveCommit: () => Promise<string>,
  place: {
    docsFolder: string
    /** Repository URL, for messages. */
    address: string
    /** Repository to fetch Git LFS files from; without it, pointers are not replaced. */
    lfs?: Repository | null
    settings?: GitSettings | undefined
    signal?: AbortSignal | undefined
  },
): Promise<FileTree> {
  const open = async () => openCommitTree({ gitDir: mirror.gitDir, commit: await resolveCommit(), ...place })
  const { signal } = place
  const tree = await open().catch(async (error: unknown) => {
    if (!isDamagedCopy(error) || signal?.aborted) throw error
    await mirror.markDamaged()
    return await open()
  })
  const guardedTree: FileTree = {
    ...tree,
    async read(path) {
      return await tree.read(path).catch(async (error: unknown) => {
        if (isDamagedCopy(error) && !signal?.aborted) await mirror.markDamaged()
        throw error
      })
    },
  }
  if (!place.lfs) return guardedTree
  const { lfs: repository, settings = {} } = place
  const folder = join(mirror.gitDir, 'octavo-lfs')
  return await withLfsObjects(guardedTree, { repository, folder, settings, signal }).catch(
    async (error: unknown) => {
      await tree[Symbol.asyncDispose]()
      throw error
    },
  )
}

function isDamagedCopy(error: unknown): boolean {
  return error instanceof GitError && error.reason === 'failed'
}

/** Normalizes `./docs/` to `docs`. Rejects paths that lead outside. */
export function cleanDocsFolder(docsFolder: string): string {
  const parts = docsFolder.split('/').filter((part) => part !== '' && part !== '.')
  if (isAbsolute(docsFolder) || parts.some((part) => part === '..' || /[\p{Cc}]/u.test(part))) {
    const sentence = `The docs folder ${JSON.stringify(docsFolder)} is not a path inside the repository.`
    throw new GitError('docs_folder_missing', sentence)
  }
  return parts.join('/')
}

async function docsFolderIn(path: string, docsFolder: string): Promise<string> {
  const root = resolve(path)
  if (docsFolder === '') return root
  const outer = await realpath(root).catch(() => root)
  const inner = await realpath(join(root, docsFolder)).catch(() => undefined)
  if (inner === outer || inner?.startsWith(outer + sep)) return inner
  throw new GitError('docs_folder_missing', `There is no folder ${docsFolder} in ${path}.`)
}
