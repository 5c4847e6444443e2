/**
 * Reads the files of a change with their texts on both sides. Commits are immutable, so the texts are cached for the
 * next request, within a limit and with LRU eviction.
 */
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { createBreaks } from '../../../base/text/breaks.ts'
import type { ProjectRepository } from '../../../git/project-repository.ts'
import { MAX_FILE_BYTES } from '../edit/change-files.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import { type FileChange, openWorkspace } from '../publish/workspace.ts'
import { type Changes, isPicture } from './change-content.ts'

export type ChangedTexts = Pick<ReviewedFile, 'path' | 'change' | 'before' | 'after'>

export interface ReviewTexts {
  /** Concurrent calls share one read; a failed read is not cached. */
  read(place: ChangePlace, signal: AbortSignal): Promise<readonly ChangedTexts[]>
}

export interface ChangePlace {
  repository: Pick<ProjectRepository, 'address' | 'docsFolder' | 'changedFiles' | 'openDocs'>
  /** Full commit ids before and after. */
  from: string
  to: string
}

/** Maximum size of the cache in bytes, and of one change in it. */
const KEPT_BYTES = 16 << 20
const KEPT_OF_ONE = 4 << 20
/** Maximum size of all texts of one change on both sides, in bytes; the other files show a sentence instead. */
export const READ_OF_ONE = 32 << 20
/** Number of files requested ahead. */
const READ_AHEAD = 64

/** Returns the files of an uncommitted change: from one commit to the changes on top of another. */
export async function unpublishedTexts(
  { repository, from, base }: { repository: ChangePlace['repository']; from: string; base: string },
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
  return await textsOf(files, [before, after], signal)
}

export function createReviewTexts({ keptBytes = KEPT_BYTES, keptOfOne = KEPT_OF_ONE } = {}): ReviewTexts {
  const kept = new Map<string, { texts: readonly ChangedTexts[]; bytes: number }>()
  const underWay = new Map<string, Promise<readonly ChangedTexts[]>>()
  let bytesKept = 0

  const keep = (key: string, texts: readonly ChangedTexts[]) => {
    const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0)
    if (bytes > keptOfOne) return
    kept.set(key, { texts, bytes })
    bytesKept += bytes
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytesKept <= keptBytes) break
      kept.delete(oldest)
      bytesKept -= freed
    }
  }

  return {
    async read(place, signal) {
      const key = JSON.stringify([
        place.repository.address,
        place.repository.docsFolder,
        place.from,
        place.to,
      ])
      const known = kept.get(key)
      if (known !== undefined) {
        kept.delete(key)
        kept.set(key, known)
        return known.texts
      }
      let reading = underWay.get(key)
      if (reading === undefined) {
        reading = readTexts(place, signal)
        underWay.set(key, reading)
        const forget = () => void underWay.delete(key)
        reading.then((texts) => keep(key, texts), forget).then(forget)
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
  { repository, from, to }: ChangePlace,
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  await using opened = new AsyncDisposableStack()
  const asked = await Promise.allSettled([
    repository.changedFiles(from, to, signal),
    repository.openDocs(from, signal),
    repository.openDocs(to, signal),
  ])
  const [files, ...sides] = asked
  for (const side of sides) if (side.status === 'fulfilled') opened.use(side.value)
  return await textsOf(outcomeOf(files), sides.map(outcomeOf), signal)
}

/** `trees` are the files before and after. */
async function textsOf(
  files: readonly FileChange[],
  trees: readonly FileTree[],
  signal: AbortSignal,
): Promise<ChangedTexts[]> {
  const room = { bytes: READ_OF_ONE }
  const breaks = createBreaks()
  return await mapBounded(files, READ_AHEAD, async ({ path, change }) => {
    signal.throwIfAborted()
    if (breaks.areDue()) await breaks.take()
    const [before = null, after = null] = await Promise.all(trees.map((tree) => textIn(tree, path, room)))
    return { path, change, before, after }
  })
}

function outcomeOf<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason
  return result.value
}

/** Checks the size before it reads a file. Pictures have no text. */
async function textIn(tree: FileTree, path: string, room: { bytes: number }): Promise<string | null> {
  const entry = tree.files.get(path)
  if (entry === undefined || isPicture(path)) return null
  if (entry.sizeBytes > MAX_FILE_BYTES)
    return `This file has ${entry.sizeBytes} bytes, more than ${MAX_FILE_BYTES}: look at it in the branch.\n`
  room.bytes -= entry.sizeBytes
  if (room.bytes < 0)
    return 'The files of this change are too large together: look at this one in the branch.\n'
  return Buffer.from(await tree.read(path)).toString('utf8')
}
