/** Queries about commits of our own repositories: the text of one file, and the files that differ. */
import { createYielder, type Yielder } from '../base/text/yielder.ts'
import { runGit } from './git.ts'
import { GitError, toGitError } from './git-error.ts'
import { findObject, type MirrorCall, readObject } from './mirror-objects.ts'
import { findEntry, readTree, shownName, type Tree, type TreeEntry, treeOf } from './trees.ts'

export interface ChangedFile {
  /** Path below the docs folder. */
  path: string
  change: 'added' | 'modified' | 'deleted'
}

/** Maximum number of compared names, because nested identical folders can multiply them without limit. */
const MAX_COMPARED = 500_000

/**
 * Reads a text file. Returns null if `path` is not a regular file, is larger than `maxBytes`, or is not UTF-8 text.
 * Follows no symlinks.
 */
export async function readCommitFile(
  call: MirrorCall,
  commit: string,
  path: string,
  maxBytes: number,
): Promise<string | null> {
  if (/(^|\/)\.{0,2}(\/|$)|\0/.test(path)) return null
  const entry = await findEntry(call, await treeOf(call, commit), path)
  if (entry === null || !entry.mode.startsWith('100')) return null
  const found = await findObject(call, entry.id)
  if (found !== null && found.sizeBytes > maxBytes) return null
  const bytes = await readObject(call, entry.id, 'blob')
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Lists files below `docsFolder` that differ between two commits, by path. A moved file counts as deleted and added.
 */
export async function listChangedFiles(
  call: MirrorCall,
  docsFolder: string,
  from: string,
  to: string,
): Promise<ChangedFile[]> {
  const folderAt = async (commit: string) => {
    const entry = await findEntry(call, await treeOf(call, commit), docsFolder)
    return entry?.type === 'tree' ? entry.id : null
  }
  const found: Comparison['found'] = { files: [], compared: 0, yielder: createYielder() }
  await compareFolders({ call, found }, await folderAt(from), await folderAt(to), '')
  return found.files.sort(byPath)
}

function byPath(a: ChangedFile, b: ChangedFile): number {
  return a.path < b.path ? -1 : 1
}

interface Comparison {
  call: MirrorCall
  found: { files: ChangedFile[]; compared: number; yielder: Yielder }
}

/** Compares two folders; null stands for a missing one. `path` ends with `/`, or is empty. */
async function compareFolders(
  comparison: Comparison,
  from: string | null,
  to: string | null,
  path: string,
): Promise<void> {
  if (from === to) return
  const { call, found } = comparison
  const [before, after] = await Promise.all(
    [from, to].map(async (id) => (id === null ? EMPTY_TREE : await readTree(call, id))),
  )
  for (const name of new Set([...(before ?? EMPTY_TREE).keys(), ...(after ?? EMPTY_TREE).keys()])) {
    if (++found.compared > MAX_COMPARED)
      throw new GitError('too_large', `The repository ${call.address} lists more files than Octavo reads.`)
    if (found.yielder.isDue()) await found.yielder.yieldNow()
    const [was, is] = [before?.get(name), after?.get(name)]
    if (was?.id === is?.id && was?.mode === is?.mode) continue
    const fullPath = path + shownName(name)
    await compareFolders(comparison, folderId(was), folderId(is), `${fullPath}/`)
    const [hadFile, hasFile] = [isFile(was), isFile(is)]
    if (hadFile || hasFile)
      found.files.push({
        path: fullPath,
        change: hadFile && hasFile ? 'modified' : hadFile ? 'deleted' : 'added',
      })
  }
}

const EMPTY_TREE: Tree = new Map()

function folderId(entry: TreeEntry | undefined): string | null {
  return entry?.type === 'tree' ? entry.id : null
}

function isFile(entry: TreeEntry | undefined): boolean {
  return entry !== undefined && entry.type !== 'tree'
}

/** Returns whether `commit` is `tip` or one of its ancestors. Needs a mirror with history. */
export async function isReachableFrom(call: MirrorCall, commit: string, tip: string): Promise<boolean> {
  // A commit that is missing here cannot be part of the history.
  if ((await findObject(call, commit))?.type !== 'commit') return false
  if (commit === tip) return true
  const { code, stderr: said } = await runGit(['merge-base', '--is-ancestor', commit, tip], call)
  if (code === 0 || code === 1) return code === 0
  throw toGitError(call.address, said, 'failed')
}
