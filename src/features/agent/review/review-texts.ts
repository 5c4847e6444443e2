/**
 * Reads the files of a change with their texts on both sides. Commits are immutable, so the texts are cached for the
 * next request, within a limit and with LRU eviction.
 */
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import { MAX_FILE_BYTES } from '../edit/change-files.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import { type FileChange, openWorkspace } from '../publish/workspace.ts'
import { type Changes, isPicture } from './change-content.ts'

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

/** Maximum size of the cache in bytes, and of one change in it. */
const CACHE_BYTES = 16 << 20
const MAX_ENTRY_BYTES = 4 << 20
/** Maximum size of all texts of one change on both sides, in bytes; the other files show a sentence instead. */
export const MAX_CHANGE_BYTES = 32 << 20
/** Number of files requested ahead. */
const READ_AHEAD_FILES = 64

/** Returns the files of an uncommitted change: from one commit to the changes on top of another. */
export async function readUnpublishedTexts(
  { repository, from, base }: { repository: CommitRange['repository']; from: string; base: string },
  changes: Changes,
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  await using before = await repository.openDocs(from, signal)
  await using below = await repository.openDocs(base, signal)
  const after = openWorkspace(below, changes).tree
  const committed = from === base ? [] : await repository.changedFiles(from, base, signal)
  const paths = new Set([...committed.map(({ path }) => path), ...changes.keys()])
  const files = [...paths].sort().flatMap((path): FileChange[] => {
    const [had, has] = [before.files.has(path), after.files.has(path)]
    if (!had && !has) return []
    return [{ path, change: !had ? 'added' : has ? 'modified' : 'deleted' }]
  })
  return await readSides(files, [before, after], signal)
}

export function createReviewTexts({
  keptBytes: cacheBytes = CACHE_BYTES,
  keptOfOne: maxEntryBytes = MAX_ENTRY_BYTES,
} = {}): ReviewTexts {
  const cache = new Map<string, { texts: readonly ChangedTexts[]; bytes: number }>()
  const underWay = new Map<string, Promise<readonly ChangedTexts[]>>()
  let cachedBytes = 0

  const addToCache = (key: string, texts: readonly ChangedTexts[]) => {
    const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0)
    if (bytes > maxEntryBytes) return
    cache.set(key, { texts, bytes })
    cachedBytes += bytes
    for (const [oldest, { bytes: freed }] of cache) {
      if (cachedBytes <= cacheBytes) break
      cache.delete(oldest)
      cachedBytes -= freed
    }
  }

  return {
    async read(range, signal) {
      const key = JSON.stringify([
        range.repository.address,
        range.repository.docsFolder,
        range.from,
        range.to,
      ])
      const known = cache.get(key)
      if (known !== undefined) {
        cache.delete(key)
        cache.set(key, known)
        return known.texts
      }
      let reading = underWay.get(key)
      if (reading === undefined) {
        reading = readTexts(range, signal)
        underWay.set(key, reading)
        const forget = () => void underWay.delete(key)
        reading.then((texts) => addToCache(key, texts), forget).then(forget)
      }
      return await reading
    },
  }
}

/** Estimates memory by two bytes per character; the rest of an entry is negligible. */
function bytesOf({ path, before, after }: ChangedTexts): number {
  return 200 + 2 * (path.length + (before?.length ?? 0) + (after?.length ?? 0))
}

async function readTexts(
  { repository, from, to }: CommitRange,
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  await using opened = new AsyncDisposableStack()
  const settledResults = await Promise.allSettled([
    repository.changedFiles(from, to, signal),
    repository.openDocs(from, signal),
    repository.openDocs(to, signal),
  ])
  const [files, ...sides] = settledResults
  for (const side of sides) if (side.status === 'fulfilled') opened.use(side.value)
  return await readSides(unwrapSettled(files), sides.map(unwrapSettled), signal)
}

/** `trees` are the files before and after. */
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

function unwrapSettled<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Checks the size before it reads a file. Pictures have no text. */
async function readText(tree: FileTree, path: string, budget: { bytes: number }): Promise<string | null> {
  const entry = tree.files.get(path)
  if (entry === undefined || isPicture(path)) return null
  if (entry.sizeBytes > MAX_FILE_BYTES)
    return `This file has ${entry.sizeBytes} bytes, more than ${MAX_FILE_BYTES}: look at it in the branch.\n`
  budget.bytes -= entry.sizeBytes
  if (budget.bytes < 0)
    return 'The files of this change are too large together: look at this one in the branch.\n'
  return Buffer.from(await tree.read(path)).toString('utf8')
}
