/** The change of a pull request over all its turns: from its start to the current files. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import { findContent, MAX_FILE_BYTES } from '../edit/change-files.ts'
import {
  type Changes,
  type Content,
  isImageFile,
  isSameContent,
  MAX_PICTURE_BYTES,
} from '../review/change-content.ts'
import { changeKind, type FileChange, openWorkspace, type Workspace } from './workspace.ts'

export interface WholeChange {
  before: FileTree
  /** Paths sorted by code unit. */
  changedFiles(): FileChange[]
}

/** `originals` contains files in the state before earlier turns changed them; null for a file that did not exist. */
export function openWholeChange(workspace: Workspace, originals: Changes): WholeChange {
  if (originals.size === 0) return { before: workspace.base, changedFiles: () => workspace.changedFiles() }
  const before = openWorkspace(workspace.base, originals).tree
  return {
    before,
    changedFiles() {
      const paths = new Set([...originals.keys(), ...workspace.changes.keys()])
      return [...paths]
        .filter((path) => !isOriginal(workspace, originals, path))
        .map((path) => ({ path, change: changeKind(before.files.has(path), workspace.tree.files.has(path)) }))
        .sort((a, b) => (a.path < b.path ? -1 : 1))
    },
  }
}

function isOriginal(workspace: Workspace, originals: Changes, path: string): boolean {
  const was = originals.get(path)
  if (was === undefined || !workspace.changes.has(path)) return false
  return isSameContent(was, workspace.changes.get(path))
}

/** Limits for files of earlier turns: their number, and their total bytes. */
const MAX_FILES = 2000
const MAX_BYTES = 32 << 20

/**
 * Returns the files that differ between the two commits, with their content at the first commit. Files that
 * are neither text nor an image, or are too large, are left out and thus count as unchanged.
 */
export async function readOriginals(
  repository: Pick<ProjectRepository, 'changedFiles' | 'openDocs'>,
  { from, to }: { from: string | null; to: string },
  signal: AbortSignal,
): Promise<Changes> {
  const originals = new Map<string, Content | null>()
  if (from === null || from === to) return originals
  const files = await repository.changedFiles(from, to, signal)
  await using tree = await repository.openDocs(from, signal)
  let room = MAX_BYTES
  for (const { path, change } of files.slice(0, MAX_FILES)) {
    const size = tree.files.get(path)?.sizeBytes
    if (size === undefined) {
      if (change === 'added') originals.set(path, null)
      continue
    }
    if (size > (isImageFile(path) ? MAX_PICTURE_BYTES : MAX_FILE_BYTES)) continue
    room -= size
    if (room < 0) continue
    const content = await findContent(tree, path)
    if (content !== null) originals.set(path, content)
  }
  return originals
}
