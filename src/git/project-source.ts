/** Opens the source of a project as a file tree. */

import { PermanentError } from '../base/errors/permanent-error.ts'
import { isDiskFull } from '../base/files/disk-full.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { FolderUnreadableError } from '../base/files/folder-tree.ts'
import { InternalError } from '../base/internal-error.ts'
import { ProcessLimitError } from '../base/process-limit-error.ts'
import { cleanDocsFolder, openTree, type TreeSource } from './checkout.ts'
import { ForgeError, type ForgeErrorReason } from './forges/forge.ts'
import type { GitSettings } from './git.ts'
import { GitError, type GitErrorReason } from './git-error.ts'
import { locateFolder } from './locate-folder.ts'
import { type GitCredentials, parseRepository, type Repository } from './repository.ts'
import { type FolderRow, type FolderRules, openSourceFolder } from './source-folder.ts'

export interface ProjectSourceDeps {
  mirrorsFolder: string
  /** Returns the project's credentials for its repository; absent means none. Rejects with ForgeError. */
  credentialsOf?: (row: ProjectSourceRow, signal: AbortSignal) => Promise<GitCredentials>
  /** Defaults to folders named on the operator's command line. */
  folders?: FolderRules
  settings?: GitSettings
  /** Called on each fetch. */
  onDefaultBranch?: (row: ProjectSourceRow, branch: string) => void
  /** Also allows repositories over unencrypted http, to which their tokens are then sent. */
  allowHttp?: boolean
}

export interface ProjectSourceRow extends FolderRow {
  id: string
  organization_id: string
  source_kind: 'folder' | 'git'
  /** Path of the folder, or URL of the repository. */
  repository: string
  ref: string | null
  /** Last known default branch. */
  default_branch?: string | null
  docs_folder: string
  /** Defaults to false. */
  fetches_lfs?: boolean
}

export const PROJECT_SOURCE_COLUMNS = [
  'projects.id',
  'projects.organization_id',
  'projects.source_kind',
  'projects.repository',
  'projects.folder_granted',
  'projects.ref',
  'projects.default_branch',
  'projects.docs_folder',
  'projects.fetches_lfs',
] as const

/**
 * Opens a project's docs. `revision` is a commit selected by an earlier attempt; null uses the current commit
 * of the ref. A folder without a ref is read directly, without commits. Rejects with PermanentError and a
 * message about the source, or with GitError if a retry may succeed.
 */
export async function openProjectTree(
  deps: ProjectSourceDeps,
  row: ProjectSourceRow,
  revision: string | null,
  signal: AbortSignal,
): Promise<FileTree> {
  const { mirrorsFolder, settings, allowHttp = false } = deps
  const onDefaultBranch = (branch: string) => deps.onDefaultBranch?.(row, branch)
  const options = { projectId: row.id, mirrorsFolder, settings, onDefaultBranch, allowHttp, signal }
  return await withPermanentErrors(
    findCredentials(deps, row, signal).then((credentials) =>
      openTree({ source: toTreeSource(deps, row, revision, credentials), ...options }),
    ),
  )
}

/**
 * Finds the project's docs in git; for a local folder, searches upwards for the repository. Credentials in
 * the URL take precedence over the given ones. Throws GitError.
 */
export function locateRepository(
  { allowHttp = false, folders = COMMAND_LINE_FOLDER_RULES }: ProjectSourceDeps,
  row: ProjectSourceRow,
  credentials: GitCredentials = {},
): { repository: Repository; docsFolder: string } {
  const docsFolder = cleanDocsFolder(row.docs_folder)
  if (row.source_kind === 'git') {
    return { repository: parseRepository(row.repository, { credentials, allowHttp }), docsFolder }
  }
  const { path, root } = openSourceFolder(folders, row)
  const { repository, inside } = locateFolder(path, root)
  return {
    repository: parseRepository(repository, { allowLocal: true }),
    docsFolder: [inside, docsFolder].filter(Boolean).join('/'),
  }
}

export async function withPermanentErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof FolderUnreadableError || (error instanceof GitError && !error.isTemporary))
      throw new PermanentError(error instanceof GitError ? error.code : 'source_unreadable', error.message, {
        cause: error,
      })
    throw error
  }
}

/** Returns the data for links to the source, or null for a folder, which has no URL. */
export function readRepositoryAddress(
  row: ProjectSourceRow,
): { address: string; ref: string | null; docsFolder: string } | null {
  if (row.source_kind !== 'git') return null
  return { address: row.repository, ref: row.ref, docsFolder: row.docs_folder }
}

/**
 * Returns true if the error ends the work. An error that a retry cannot resolve always ends it. An unavailable source,
 * content over the process limits, or an internal failure ends it only at the last attempt. The message of such an
 * error is for the user who requested the work.
 */
export function isFinal(error: unknown, isLastAttempt: boolean): error is Error {
  if (isDiskFull(error)) return false // a later attempt may find free space
  if (error instanceof PermanentError) return true
  return (
    isLastAttempt &&
    (error instanceof GitError || error instanceof ProcessLimitError || error instanceof InternalError)
  )
}

export const COMMAND_LINE_FOLDER_RULES: FolderRules = { roots: [] }

function toTreeSource(
  { folders = COMMAND_LINE_FOLDER_RULES }: ProjectSourceDeps,
  row: ProjectSourceRow,
  revision: string | null,
  credentials: GitCredentials,
): TreeSource {
  const docsFolder = row.docs_folder
  const ref = revision !== null && /^[0-9a-f]{40,64}$/.test(revision) ? revision : row.ref
  if (row.source_kind === 'git')
    return {
      kind: 'git',
      repository: row.repository,
      ref,
      docsFolder,
      credentials,
      fetchesLfs: row.fetches_lfs,
    }
  return { kind: 'folder', ...openSourceFolder(folders, row), ref: row.ref === null ? null : ref, docsFolder }
}

/** Returns git credentials for the host of the repository; none for a folder. Rejects with GitError. */
export async function findCredentials(
  { credentialsOf }: ProjectSourceDeps,
  row: ProjectSourceRow,
  signal: AbortSignal,
): Promise<GitCredentials> {
  if (row.source_kind !== 'git') return {}
  try {
    return (await credentialsOf?.(row, signal)) ?? {}
  } catch (error) {
    if (error instanceof ForgeError) throw new GitError(GIT_REASONS[error.reason], error.message)
    throw error
  }
}

const GIT_REASONS: Record<ForgeErrorReason, GitErrorReason> = {
  unreachable: 'repository_unreachable',
  credentials_refused: 'credentials_refused',
  repository_missing: 'repository_missing',
  refused: 'credentials_refused',
}
