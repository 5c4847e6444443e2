/**
 * Rules for local folders as sources. Checked whenever a folder is opened, because symlinks may have changed.
 */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { GitError } from './git-error.ts'

export interface FolderRules {
  /**
   * Sources must be inside these folders. If empty, only folders from the operator's command line are allowed.
   */
  roots: readonly string[]
  /** Folder of Octavo's own sources, allowed in addition to `roots`. */
  own?: string
  /**
   * Octavo's data folder. A source may neither contain it nor be inside it, unless the operator named the
   * source.
   */
  dataFolder?: string
}

export interface FolderRow {
  repository: string
  /** Whether the operator named the folder on the command line. */
  folder_granted: boolean
}

export interface SourceFolder {
  path: string
  /** Reads are restricted to this folder; null for no restriction. */
  root: string | null
}

/** Checks a source folder. Throws GitError `repository_invalid` if it is not allowed. */
export function openSourceFolder(rules: FolderRules, row: FolderRow): SourceFolder {
  if (rules.roots.length === 0) {
    if (row.folder_granted) return { path: row.repository, root: null }
    throw createRefusal(
      'and folders can be set as a source only on its command line: octavo projects create --source',
    )
  }
  const path = resolveRealPath(row.repository)
  const { dataFolder } = rules
  const roots = [...rules.roots, ...(rules.own === undefined ? [] : [rules.own])].map(resolveRealPath)
  const root = roots.find((one) => isFolderWithin(path, one))
  const containsData = dataFolder !== undefined && overlaps(path, resolveRealPath(dataFolder))
  if (root === undefined || (containsData && !row.folder_granted))
    throw createRefusal('and is not in one of the folders allowed for sources (OCTAVO_SOURCE_ROOTS)')
  return { path, root }
}

/** Compares paths without resolving symlinks, which `openSourceFolder` does. */
export function isWithinRoots(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => isFolderWithin(resolve(folder), resolve(root)))
}

export function isFolderWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

function overlaps(one: string, other: string): boolean {
  return isFolderWithin(one, other) || isFolderWithin(other, one)
}

/** Resolves symlinks. Returns the path unchanged if the folder does not exist. */
function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function createRefusal(reason: string): GitError {
  return new GitError('repository_invalid', `The source is a folder on the server, ${reason}.`)
}
