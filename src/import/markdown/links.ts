/** Maps URLs of the old site to URLs of the new one. */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'
import { toRoute, trimSlashes } from '../imported-site.ts'
import { excerpt, type NoteLocation, type Notes } from '../notes.ts'
import { asText } from '../values.ts'

export interface LinkMap {
  /** Paths on the new site, by source file. */
  pages: ReadonlyMap<string, string>
  /** Paths in the new folder without a leading slash, by source file. */
  assets: ReadonlyMap<string, string>
  /** Paths on the new site, by path on the old site, such as `/docs/x`. */
  routes: ReadonlyMap<string, string>
  /** Source folders of static files, which the old site serves at its root. */
  roots: readonly string[]
}

export type Resolved =
  | { kind: 'external'; href: string }
  | { kind: 'found'; href: string }
  | { kind: 'missing'; href: string }

const PAGE_ENDINGS = ['', '.md', '.mdx', '.markdown', '/index.md', '/index.mdx', '/README.md', '/readme.md']

/** Maps a URL that occurs in the source file `from`. */
export function resolveAddress(map: LinkMap, from: string, address: string): Resolved {
  const text = address.trim()
  if (text === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(text))
    return { kind: 'external', href: address }
  const cut = text.search(/[?#]/)
  const path = decodePath(cut === -1 ? text : text.slice(0, cut))
  const suffix = cut === -1 ? '' : text.slice(cut)
  const found = path.startsWith('/') ? findAbsolute(map, path) : findRelative(map, from, path)
  if (found === null) return { kind: 'missing', href: address }
  return { kind: 'found', href: `${encodeURI(found)}${suffix}` }
}

function findRelative(map: LinkMap, from: string, path: string): string | null {
  const file = posix.normalize(posix.join(posix.dirname(from), path)).replace(/\/$/, '')
  const inSource = file.startsWith('..') ? null : findFile(map, file)
  if (inSource !== null) return inSource
  // Resolves relative to the URL of the page, with and without a trailing slash.
  const route = map.pages.get(from)
  if (route === undefined) return null
  const candidates = [posix.join(posix.dirname(route), path), posix.join(route, path)]
  for (const candidate of candidates) {
    const resolved = findAbsolute(map, candidate)
    if (resolved !== null) return resolved
  }
  return null
}

function findFile(map: LinkMap, file: string): string | null {
  const base = file === '.' ? '' : file
  for (const ending of PAGE_ENDINGS) {
    const route = map.pages.get(base === '' ? ending.replace(/^\//, '') : base + ending)
    if (route !== undefined) return route
  }
  const asset = map.assets.get(base)
  if (asset !== undefined) return `/${asset}`
  return /\.html?$/.test(base) ? findFile(map, base.replace(/\.html?$/, '')) : null
}

function findAbsolute(map: LinkMap, path: string): string | null {
  const route = `/${trimSlashes(posix.normalize(path))}`
  const bare = route.replace(/(?:\/index)?\.(?:html?|mdx?)$/, '') || '/'
  const known = map.routes.get(route) ?? map.routes.get(bare)
  if (known !== undefined) return known
  for (const root of map.roots) {
    const found = findFile(map, posix.join(root, route.slice(1)))
    if (found !== null) return found
  }
  return null
}

/** Creates a link map for a site whose URLs correspond to its files. */
export function createLinkMap(
  docs: Iterable<{ page: { file: string }; importedPath: string }>,
  assets: LinkMap['assets'],
  roots: readonly string[],
): LinkMap {
  const all = [...docs].map(({ page, importedPath }) => [page.file, toRoute(importedPath)] as const)
  return { pages: new Map(all), assets, routes: new Map(all.map(([, route]) => [route, route])), roots }
}

/** Returns a function that maps URLs in `file`. Broken links are unchanged and result in a note. */
export function createLinkResolver(
  notes: Notes,
  map: LinkMap,
  file: string,
): (address: string, line: number) => string {
  return (address, line) => {
    const found = resolveAddress(map, file, address)
    if (found.kind === 'missing')
      notes.add('link', { file, line }, `The link target ${excerpt(address)} does not exist.`)
    return found.href
  }
}

/**
 * Converts pairs of old URL and target, relative to `from`, to redirects in docs.json. Returns null if there
 * are none.
 */
export function createRedirects(
  notes: Notes,
  map: LinkMap,
  { file, from }: { file: NoteLocation['file']; from: string },
  pairs: readonly (readonly [source: string, target: unknown])[],
): { source: string; destination: string }[] | null {
  const redirects = pairs.flatMap(([source, value]) => {
    const target = asText(value)
    if (target === null) return []
    const found = resolveAddress(map, from, target)
    if (found.kind === 'missing')
      notes.add('link', file, `A redirect points to ${excerpt(target)}, which does not exist.`)
    return [{ source, destination: found.href }]
  })
  return redirects.length === 0 ? null : redirects
}
