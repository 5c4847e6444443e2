/** The source of a project, as its row names it, opened as a tree of files. */
import type { FileTree } from '../base/file-tree.ts'
import { FolderUnreadableError } from '../base/folder-tree.ts'
import { PermanentError } from '../base/permanent-error.ts'
import { cleanDocsFolder, openTree, type TreeSource } from './checkout.ts'
import type { GitSettings } from './git.ts'
import { GitError } from './git-error.ts'
import { locateFolder } from './locate-folder.ts'
import { type GitCredentials, parseRepository, type Repository } from './repository.ts'

export interface ProjectSourceDeps {
  mirrorsFolder: string
  /** For https repositories, by host: a token is never sent to another one. */
  tokens: Readonly<Record<string, string>>
  settings?: GitSettings
  /** Also take repositories over http, which is not encrypted, and send them their tokens. */
  allowHttp?: boolean
}

export interface ProjectSourceRow {
  source_kind: 'folder' | 'git'
  /** Path of the folder, or address of the repository. */
  repository: string
  ref: string | null
  docs_folder: string
}

/**
 * `revision` is a commit that an earlier attempt has fixed; null takes what the ref names now. A folder without a ref
 * has no commits: it is read as it lies there. Rejects with PermanentError, a sentence about the source, and with
 * GitError when a later attempt may succeed.
 */
export async function openProjectTree(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  revision: string | null,
  signal: AbortSignal,
): Promise<FileTree> {
  const { mirrorsFolder, settings, allowHttp = false } = deps
  return await sayingWhatIsFinal(
    openTree({ source: sourceOf(deps, row, revision), mirrorsFolder, settings, allowHttp, signal }),
  )
}

/** Where the project's docs lie in git: a folder of this machine is looked for upwards. Throws GitError. */
export function repositoryPlace(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
): { repository: Repository; docsFolder: string } {
  const { allowHttp = false } = deps
  const docsFolder = cleanDocsFolder(row.docs_folder)
  if (row.source_kind === 'git') {
    const options = { credentials: credentialsFor(deps, row), allowHttp }
    return { repository: parseRepository(row.repository, options), docsFolder }
  }
  const { repository, inside } = locateFolder(row.repository)
  return {
    repository: parseRepository(repository, { allowLocal: true }),
    docsFolder: [inside, docsFolder].filter(Boolean).join('/'),
  }
}

/** Turns an error that trying again cannot mend into a PermanentError. */
export async function sayingWhatIsFinal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FolderUnreadableError || (error instanceof GitError && !error.isTemporary))
      throw new PermanentError(error.message, { cause: error })
    throw error
  }
}

/** Where people see the source in a browser may be read from this; null for a folder, which has no address. */
export function repositoryOf(
  row: ProjectSourceRow,
): { address: string; ref: string | null; docsFolder: string } | null {
  if (row.source_kind !== 'git') return null
  return { address: row.repository, ref: row.ref, docsFolder: row.docs_folder }
}

/**
 * Whether work ends with this error: trying again cannot mend it, or a source that was away has been tried often
 * enough. Its message is then for whoever asked for the work.
 */
export function isFinal(error: unknown, isLastAttempt: boolean): error is Error {
  return error instanceof PermanentError || (isLastAttempt && error instanceof GitError)
}

function sourceOf(deps: ProjectSourceDeps, row: ProjectSourceRow, revision: string | null): TreeSource {
  const docsFolder = row.docs_folder
  const ref = revision !== null && /^[0-9a-f]{40,64}$/.test(revision) ? revision : row.ref
  if (row.source_kind === 'git')
    return {
      kind: 'git',
      repository: row.repository,
      ref,
      docsFolder,
      credentials: credentialsFor(deps, row),
    }
  return { kind: 'folder', path: row.repository, ref: row.ref === null ? null : ref, docsFolder }
}

function credentialsFor(
  { tokens, allowHttp = false }: ProjectSourceDeps,
  row: ProjectSourceRow,
): GitCredentials {
  const url = URL.parse(row.repository)
  const mayHaveToken = url?.protocol === 'https:' || (allowHttp && url?.protocol === 'http:')
  const token = mayHaveToken ? tokens[url.host] : undefined
  return token === undefined ? {} : { token }
}
