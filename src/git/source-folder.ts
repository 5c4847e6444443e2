/** Rules for local folders as sources. Checked each time a folder is opened, since links may have changed. */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { GitError } from './git-error.ts'

export interface FolderRules {
  /**
   * Folders that must contain all sources. If empty, only folders named on the operator's command line are allowed.
   */
  roots: readonly string[]
  /** Octavo's own sources, treated like a root. */
  own?: string
  /** Octavo's data folder, which an organization's source may neither contain nor be inside of. */
  dataFolder?: string
}

export interface FolderRow {
  /** Path of the folder. */
  repository: string
  /** Whether the folder was named on the operator's command line. */
  folder_granted: boolean
}

export interface SourceFolder {
  path: string
  /** Nothing above this folder is read; null if the folder may be anywhere. */
  root: string | null
}

/** Checks a source folder against the rules. Throws GitError `repository_invalid`. */
export function openSourceFolder(rules: FolderRules, row: FolderRow): SourceFolder {
  if (rules.roots.length === 0) {
    if (row.folder_granted) return { path: row.repository, root: null }
    throw createRefusal(
      'which is named as a source on its command line alone: octavo projects create --source',
    )
  }
  const path = resolveRealPath(row.repository)
  const { dataFolder } = rules
  const roots = [...rules.roots, ...(rules.own === undefined ? [] : [rules.own])].map(resolveRealPath)
  const root = roots.find((one) => isFolderWithin(path, one))
  const containsData = dataFolder !== undefined && overlaps(path, resolveRealPath(dataFolder))
  if (root === undefined || (containsData && !row.folder_granted))
    throw createRefusal('and does not lie within those that are open for sources (OCTAVO_SOURCE_ROOTS)')
  return { path, root }
}

/** Compares paths as written; `openSourceFolder` resolves links. */
export function isWithinRoots(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => isFolderWithin(resolve(folder), resolve(root)))
}

export function isFolderWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

function overlaps(one: string, other: string): boolean {
  return isFolderWithin(one, other) || isFolderWithin(other, one)
}

/** Resolves links; returns the path unchanged if the folder does not exist. */
function resolveRealPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function createRefusal(reason: string): GitError {
  return new GitError(
    'repository_invalid',
    `The source is a folder of the machine that Octavo runs on, ${reason}.`,
  )
}
