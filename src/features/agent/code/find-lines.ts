/** Lines of the tree's text files that a pattern finds, file by file in the order of their names. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { MAX_FILE_BYTES, textOf } from '../edit/change-files.ts'
import { isShown } from '../edit/paths.ts'
import { excerpt } from '../loop/result-text.ts'
import { type LinePattern, PatternCostError } from './line-pattern.ts'

export interface LineSearch {
  tree: FileTree
  pattern: LinePattern
  isIn(path: string): boolean
  /** Found lines that are passed over. */
  offset: number
  limit: number
}

interface FoundLines {
  /** `guides/a.mdx:12: text of the line`. */
  lines: string[]
  isMore: boolean
  /** Why not everything was searched, as a sentence. */
  stopped: string | null
}

/** Files read ahead; between two batches others have their turn. */
const BATCH = 32
/** Files of these types hold no lines. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|mp[34]|webm|mov|m4[av]|wav|ogg|woff2?|ttf|otf|eot|pdf|zip|t?gz|br|7z|wasm|so|dll|exe|jar|class|pyc|bin|dat|db|sqlite)$/i
const MAX_BYTES = 256 << 20
/** A few seconds of work in all. */
const MAX_STEPS = 100_000_000
/** After so many the server's other work has its turn. */
const STEPS_AT_ONCE = 5_000_000
const EXCERPT = 300

export async function findLines(search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  const { tree, offset, limit } = search
  const files = [...tree.files].filter(
    ([path, { sizeBytes }]) =>
      sizeBytes <= MAX_FILE_BYTES && isShown(path) && !NO_TEXT.test(path) && search.isIn(path),
  )
  const cost = { left: MAX_STEPS }
  const found: string[] = []
  let bytes = 0
  const end = (stopped: string | null): FoundLines => ({
    lines: found.slice(offset, offset + limit),
    isMore: found.length > offset + limit,
    stopped,
  })
  for (let at = 0; at < files.length; at += BATCH) {
    signal.throwIfAborted()
    const batch = files.slice(at, at + BATCH)
    const texts = await mapBounded(batch, BATCH, async ([path]) => textOf(await tree.read(path)))
    let rested = cost.left
    for (const [index, [path, { sizeBytes }]] of batch.entries()) {
      bytes += sizeBytes
      if (rested - cost.left > STEPS_AT_ONCE) {
        await nextTurn()
        signal.throwIfAborted()
        rested = cost.left
      }
      try {
        for (const line of linesOf(path, texts[index] ?? '', search.pattern, cost)) {
          if (found.push(line) > offset + limit) return end(null)
        }
      } catch (error) {
        if (!(error instanceof PatternCostError)) throw error
        return end(`The search was ended at ${path}: it takes too long.`)
      }
    }
    if (bytes > MAX_BYTES) return end(`The search was ended after ${MAX_BYTES >> 20} MiB of text.`)
    await nextTurn()
  }
  return end(null)
}

function* linesOf(
  path: string,
  text: string,
  pattern: LinePattern,
  cost: { left: number },
): Iterable<string> {
  let number = 0
  for (const line of text.split('\n')) {
    number++
    const found = pattern.find(line.endsWith('\r') ? line.slice(0, -1) : line, cost)
    if (found) yield `${path}:${number}: ${excerpt(line, found.start, EXCERPT).trim()}`
  }
}
