/**
 * Reads the files of a change with their texts on both sides. Commits are immutable, so the texts are cached for the
 * next request, within a limit and with LRU eviction.
 */
import { createAsyncCache } from '../../../base/async-cache.ts'
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import { MAX_FILE_BYTES } from '../edit/change-files.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import { changeKind, type FileChange, openWorkspace } from '../publish/workspace.ts'
import { type Changes, isImageFile } from './change-content.ts'

export type ChangedTexts = Pick<ReviewedFile, 'path' | 'change' | 'before' | 'after'>

export interface ReviewTexts {
  /** Concurrent calls share one read; a failed read is not cached. */
  read(range: CommitRange, signal: AbortSignal): Promise<readonly ChangedTexts[]>
}

export interface CommitRange {
  repository: Pick<ProjectRepository, 'address' | 'docsFolder' | 'changedFiles' | 'openDocs'>
  /** Full commit ids before and after. */
  from: string
  to: string
}

const MAX_TEXT_CACHE_BYTES = 16 << 20
/** Maximum size of all texts of one change on both sides, in bytes. Files beyond the limit show a message instead. */
export const MAX_CHANGE_BYTES = 32 << 20
/** Number of files requested ahead. */
const READ_AHEAD_FILES = 64

/** Returns the files that differ between two commits, with `changes` applied to the second commit. */
export async function readChangedTexts(
  { repository, from, to }: CommitRange,
  changes: Changes,
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  await using before = await repository.openDocs(from, signal)
  await using below = await repository.openDocs(to, signal)
  const after = openWorkspace(below, changes).tree
  const committed = from === to ? [] : await repository.changedFiles(from, to, signal)
  const paths = new Set([...committed.map(({ path }) => path), ...changes.keys()])
  const files = [...paths].sort().flatMap((path): FileChange[] => {
    const [had, has] = [before.files.has(path), after.files.has(path)]
    if (!had && !has) return []
    return [{ path, change: changeKind(had, has) }]
  })
  return await readSides(files, [before, after], signal)
}

export function createReviewTexts(): ReviewTexts {
  const cache = createAsyncCache<readonly ChangedTexts[]>({
    maxSize: MAX_TEXT_CACHE_BYTES,
    sizeOf: (texts) => texts.reduce((sum, text) => sum + bytesOf(text), 0),
  })
  return {
    async read(range, signal) {
      const { repository, from, to } = range
      const key = JSON.stringify([repository.address, repository.docsFolder, from, to])
      return await cache.get(key, () => readChangedTexts(range, new Map(), signal))
    },
  }
}

/** Estimates memory by two bytes per character; the rest of an entry is negligible. */
function bytesOf({ path, before, after }: ChangedTexts): number {
  return 200 + 2 * (path.length + (before?.length ?? 0) + (after?.length ?? 0))
}

async function readSides(
  files: readonly FileChange[],
  trees: readonly FileTree[],
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  const budget = { bytes: MAX_CHANGE_BYTES }
  const breaks = createYielder()
  return await mapBounded(files, READ_AHEAD_FILES, async ({ path, change }) => {
    signal.throwIfAborted()
    if (breaks.isDue()) await breaks.yieldNow()
    const [before = null, after = null] = await Promise.all(trees.map((tree) => readText(tree, path, budget)))
    return { path, change, before, after }
  })
}

/** Checks the size before it reads a file. Images have no text. */
async function readText(tree: FileTree, path: string, budget: { bytes: number }): Promise<string | null> {
  const entry = tree.files.get(path)
  if (entry === undefined || isImageFile(path)) return null
  if (entry.sizeBytes > MAX_FILE_BYTES)
    return `This file has ${entry.sizeBytes} bytes, more than ${MAX_FILE_BYTES}. See it in the branch.\n`
  budget.bytes -= entry.sizeBytes
  if (budget.bytes < 0)
    return 'The files of this change are too large together. See this one in the branch.\n'
  return Buffer.from(await tree.read(path)).toString('utf8')
}
