/** Finds lines that match a pattern in the tree's text files, in the order of file names. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { decodeFileText, MAX_FILE_BYTES } from '../edit/change-files.ts'
import { isShown } from '../edit/paths.ts'
import { excerpt } from '../loop/result-text.ts'
import { type LinePattern, PatternCostError } from './line-pattern.ts'

export interface LineSearch {
  tree: FileTree
  pattern: LinePattern
  isIn(path: string): boolean
  offset: number
  limit: number
}

interface FoundLines {
  /** `guides/a.mdx:12: text of the line`. */
  lines: string[]
  isMore: boolean
  stopped: string | null
}

const BATCH = 32
const BINARY_FILE =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|mp[34]|webm|mov|m4[av]|wav|ogg|woff2?|ttf|otf|eot|pdf|zip|t?gz|br|7z|wasm|so|dll|exe|jar|class|pyc|bin|dat|db|sqlite)$/i
const MAX_BYTES = 256 << 20
/** Limit for the whole search: a few seconds. */
const MAX_STEPS = 100_000_000
const STEPS_PER_SLICE = 5_000_000
const EXCERPT = 300

export async function findLines(search: LineSearch, signal: AbortSignal): Promise<FoundLines> {
  const { tree, offset, limit } = search
  const files = [...tree.files].filter(
    ([path, { sizeBytes }]) =>
      sizeBytes <= MAX_FILE_BYTES && isShown(path) && !BINARY_FILE.test(path) && search.isIn(path),
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
    const texts = await mapBounded(batch, BATCH, async ([path]) => decodeFileText(await tree.read(path)))
    let rested = cost.left
    for (const [index, [path, { sizeBytes }]] of batch.entries()) {
      bytes += sizeBytes
      if (rested - cost.left > STEPS_PER_SLICE) {
        await nextTurn()
        signal.throwIfAborted()
        rested = cost.left
      }
      try {
        for (const line of matchLines(path, texts[index] ?? '', search.pattern, cost)) {
          if (found.push(line) > offset + limit) return end(null)
        }
      } catch (error) {
        if (!(error instanceof PatternCostError)) throw error
        return end(`The search stopped at ${path} because it takes too long.`)
      }
    }
    if (bytes > MAX_BYTES) return end(`The search stopped after ${MAX_BYTES >> 20} MiB of text.`)
    await nextTurn()
  }
  return end(null)
}

function* matchLines(
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
