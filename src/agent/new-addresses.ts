/** Addresses of other sites that a change brings, as they stand in its pages. */
import type { FileTree } from '../base/file-tree.ts'
import type { NewAddress } from '../contract/agent-review.ts'
import { MAX_FILE_BYTES, textOf } from './change-files.ts'
import type { FileChange } from './workspace.ts'

const MAX_ADDRESSES = 200
const MAX_LENGTH = 2000
const ADDRESS = /https?:\/\/[^\s<>"'`{}\\|^]+/g
const FENCE = /^\s{0,20}(?:`{3}|~{3})/
/** Kept for examples, or of no use to anybody else. */
const NOBODY = /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/

/** Without those in code, of the site itself, and that are there for examples. */
export async function newAddresses(
  { before, after, origin }: { before: FileTree; after: FileTree; origin: string | null },
  changes: readonly FileChange[],
): Promise<NewAddress[]> {
  const known = new Set<string>()
  const found = new Map<string, NewAddress>()
  const pages = changes.filter(({ path }) => /\.mdx?$/.test(path))
  for (const { path } of pages)
    for (const { url } of addressesIn(path, await readPage(before, path), origin)) known.add(url)
  for (const { path } of pages)
    for (const address of addressesIn(path, await readPage(after, path), origin))
      if (!known.has(address.url) && found.size < MAX_ADDRESSES && !found.has(address.url))
        found.set(address.url, address)
  return [...found.values()]
}

async function readPage(tree: FileTree, path: string): Promise<string> {
  const entry = tree.files.get(path)
  return entry === undefined || entry.sizeBytes > MAX_FILE_BYTES ? '' : (textOf(await tree.read(path)) ?? '')
}

function addressesIn(file: string, source: string, origin: string | null): NewAddress[] {
  let isCode = false
  return source.split('\n').flatMap((line, index): NewAddress[] => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return []
    const text = line.replace(/`[^`]*`/g, ' ')
    return [...text.matchAll(ADDRESS)].flatMap(([written]) => {
      const url = addressOf(written)
      return url === null || url.origin === origin ? [] : [{ url: url.href, file, line: index + 1 }]
    })
  })
}

/** Without what belongs to the sentence around it, and without the place on the page. */
function addressOf(written: string): URL | null {
  let text = written.slice(0, MAX_LENGTH)
  for (let end = text; ; text = end) {
    end = text.replace(/[.,;:!?*_~\]]$/, '')
    const isOpen = end.endsWith(')') && end.split(')').length > end.split('(').length
    if (isOpen) end = end.slice(0, -1)
    if (end === text) break
  }
  // A link that goes on behind its own end: `[a](https://b.c/d), and …`
  const close = text.indexOf('](')
  const url = URL.parse(close === -1 ? text : text.slice(0, close))
  if (url === null || url.username !== '' || NOBODY.test(url.hostname) || !url.hostname.includes('.'))
    return null
  url.hash = ''
  return url
}
