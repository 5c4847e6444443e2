/** Which folders of this machine are sources: looked at each time one is opened, wherever links lead by then. */
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { GitError } from './git-error.ts'

export interface FolderRules {
  /** Within which all folders must lie; empty: those that the operator's command line has named may lie anywhere. */
  roots: readonly string[]
  /** Sources of Octavo's own, as if it were a root. */
  own?: string
  /** Octavo's data, which no organization's source may hold or lie in. */
  dataFolder?: string
}

export interface FolderRow {
  /** Path of the folder. */
  repository: string
  /** Whether the operator's command line has named it. */
  folder_granted: boolean
}

export interface SourceFolder {
  path: string
  /** Nothing above it is looked at; null for a folder that may lie anywhere. */
  root: string | null
}

/** Throws GitError `repository_invalid`. */
export function openSourceFolder(rules: FolderRules, row: FolderRow): SourceFolder {
  if (rules.roots.length === 0) {
    if (row.folder_granted) return { path: row.repository, root: null }
    throw refuse('which is named as a source on its command line alone: octavo projects create --source')
  }
  const path = realOf(row.repository)
  const { dataFolder } = rules
  const roots = [...rules.roots, ...(rules.own === undefined ? [] : [rules.own])].map(realOf)
  const root = roots.find((one) => isFolderWithin(path, one))
  const holdsData = dataFolder !== undefined && overlaps(path, realOf(dataFolder))
  if (root === undefined || (holdsData && !row.folder_granted))
    throw refuse('and does not lie within those that are open for sources (OCTAVO_SOURCE_ROOTS)')
  return { path, root }
}

/** By their spelling: links are for `openSourceFolder` to follow. */
export function isWithinRoots(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => isFolderWithin(resolve(folder), resolve(root)))
}

export function isFolderWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(sep) ? outer : outer + sep)
}

function overlaps(one: string, other: string): boolean {
  return isFolderWithin(one, other) || isFolderWithin(other, one)
}

/** A folder that is not there is where its name says. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function refuse(why: string): GitError {
  return new GitError(
    'repository_invalid',
    `The source is a folder of the machine that Octavo runs on, ${why}.`,
  )
}
