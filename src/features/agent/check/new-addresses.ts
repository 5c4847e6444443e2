/** Finds the URLs of other sites that a change adds to its pages. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { maskCode } from '../../../site/pages/scan-page.ts'
import { findText } from '../edit/change-files.ts'
import type { NewAddress } from '../operations/agent-review.ts'
import type { FileChange } from '../publish/workspace.ts'

const MAX_ADDRESSES = 200
const MAX_LENGTH = 2000
const ADDRESS = /https?:\/\/[^\s<>"'`{}\\|^]+/g
const RESERVED_HOST =
  /(?:^|\.)(?:example|test|invalid|localhost|local|internal)$|(?:^|\.)example\.(?:com|net|org)$/

/** Leaves out URLs in code, URLs of the site itself, and URLs of example hosts. */
export async function findNewAddresses(
  { before, after, origin }: { before: FileTree; after: FileTree; origin: string | null },
  changes: readonly FileChange[],
): Promise<NewAddress[]> {
  const known = new Set<string>()
  const found = new Map<string, NewAddress>()
  const pages = changes.filter(({ path }) => /\.mdx?$/.test(path))
  for (const { path } of pages)
    for (const { url } of parseAddresses(path, (await findText(before, path)) ?? '', origin)) known.add(url)
  for (const { path } of pages)
    for (const address of parseAddresses(path, (await findText(after, path)) ?? '', origin))
      if (!known.has(address.url) && found.size < MAX_ADDRESSES && !found.has(address.url))
        found.set(address.url, address)
  return [...found.values()]
}

function parseAddresses(file: string, source: string, origin: string | null): NewAddress[] {
  return maskCode(source, 0)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(ADDRESS)].flatMap(([written]): NewAddress[] => {
        const url = parseAddress(written)
        return url === null || url.origin === origin ? [] : [{ url: url.href, file, line: index + 1 }]
      }),
    )
}

/** Removes punctuation of the surrounding sentence and the fragment. */
function parseAddress(written: string): URL | null {
  // A truncated URL would be another URL.
  if (written.length > MAX_LENGTH) return null
  let unopened = written.split(')').length - written.split('(').length
  let end = written.length
  for (; end > 0; end--) {
    const last = written[end - 1] ?? ''
    if (last === ')' && unopened > 0) unopened--
    else if (!'.,;:!?*_~]'.includes(last)) break
  }
  const text = written.slice(0, end)
  // The matched text may extend past the end of a Markdown link: `[a](https://b.c/d), and …`
  const close = text.indexOf('](')
  const url = URL.parse(close === -1 ? text : text.slice(0, close))
  if (url === null || url.username !== '' || RESERVED_HOST.test(url.hostname) || !url.hostname.includes('.'))
    return null
  url.hash = ''
  return url
}
