/** Opens a site's source as a FileTree: a local folder, or a repository at a commit. */
import { realpath } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import type { FileDates, FileTree } from '../base/files/file-tree.ts'
import { openFolderTree } from '../base/files/folder-tree.ts'
import { cachedFileDates, dateFile, folderDates, readFilesAt } from './file-dates.ts'
import type { GitSettings } from './git.ts'
import { GitError } from './git-error.ts'
import { withLfsObjects } from './lfs-objects.ts'
import { locateFolder } from './locate-folder.ts'
import { type Mirror, openMirror } from './mirror.ts'
import { openCommitTree } from './push/commit-tree.ts'
import { type GitCredentials, parseRepository, type Repository } from './repository.ts'

export type TreeSource =
  | {
      /** A local folder. With `ref`, reads that commit of the repository that contains the folder. */
      kind: 'folder'
      path: string
      /** Outermost folder in which the repository is searched; null searches up to the root of the file system. */
      root?: string | null
      docsFolder?: string | null
      ref?: string | null
    }
  | {
      kind: 'git'
      /** `https://…`, `ssh://…` or `git@host:path`. */
      repository: string
      /** Branch, tag or commit; null selects the default branch. */
      ref?: string | null
      docsFolder?: string | null
      credentials?: GitCredentials
      fetchesLfs?: boolean | undefined
    }

export interface OpenTreeOptions {
  source: TreeSource
  projectId: string
  mirrorsFolder: string
  settings?: GitSettings | undefined
  /** See MirrorOptions. */
  onDefaultBranch?: ((branch: string) => void) | undefined
  /** Also allows repositories over unencrypted http. */
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
  const query = { docsFolder, address, settings, signal }
  const lfs = fetchesLfs ? repository : null
  const tree = await openInMirror(mirror, () => mirror.fetchCommit(ref, signal), { ...query, lfs })
  const history = openMirror({
    ...{ folder: mirrorsFolder, projectId, repository, settings, history: 'folders' },
    ...{ fetchTimeoutMs: HISTORY_TIMEOUT_MS, maxFetchBytes: MAX_HISTORY_BYTES },
  })
  return { ...tree, dates: memoize(() => readDates(history, tree.revision, query)) }
}

/** Limits for fetching history; files of a repository over these limits have no dates. */
const HISTORY_TIMEOUT_MS = 120_000
const MAX_HISTORY_BYTES = 2 ** 30

/** Without history, pages have no dates, but the site is still built. */
async function readDates(
  history: Mirror,
  commit: string,
  { docsFolder, settings, signal }: { docsFolder: string } & Pick<OpenTreeOptions, 'settings' | 'signal'>,
): Promise<FileDates> {
  try {
    await history.ensureCommit(commit, signal)
    const { gitDir } = history
    const query = { gitDir, folder: docsFolder, settings, signal }
    const dates = await cachedFileDates(dateFile(join(gitDir, 'octavo-dates.json')), { ...query, commit })
    const fetchObjects = (ids: readonly string[]) => history.fetchObjects(ids, signal)
    return { ...dates, readAt: (files) => readFilesAt(query, files, fetchObjects) }
  } catch (error) {
    if (!(error instanceof GitError) || signal?.aborted) throw error
    if (isDamagedCopy(error)) await history.markDamaged()
    return { dates: new Map(), commits: new Map(), isWhole: false }
  }
}

function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    done ??= work()
    return done
  }
}

/** Opens the commit returned by `resolveCommit`. Recreates a damaged mirror and tries again. */
export async function openInMirror(
  mirror: Mirror,
  resolveCommit: () => Promise<string>,
  query: {
    docsFolder: string
    address: string
    /** Repository from which Git LFS files are fetched; without it, pointers are not replaced. */
    lfs?: Repository | null
    settings?: GitSettings | undefined
    signal?: AbortSignal | undefined
  },
): Promise<FileTree> {
  const open = async () => openCommitTree({ gitDir: mirror.gitDir, commit: await resolveCommit(), ...query })
  const { signal } = query
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
  if (!query.lfs) return guardedTree
  const { lfs: repository, settings = {} } = query
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

/** Normalizes `./docs/` to `docs`. Throws GitError for a path outside the repository. */
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
