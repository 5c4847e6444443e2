/** Maps URLs of the old site to those of the new one. */
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
  /** Paths on the old site, such as `/docs/x`, and their counterparts on the new site. */
  routes: ReadonlyMap<string, string>
  /** Source folders of static files, served at the root of the old site. */
  roots: readonly string[]
}

export type Resolved =
  | { kind: 'kept'; href: string }
  | { kind: 'found'; href: string }
  | { kind: 'missing'; href: string }

const PAGE_ENDINGS = ['', '.md', '.mdx', '.markdown', '/index.md', '/index.mdx', '/README.md', '/readme.md']

/** Maps a URL in the source file `from`. */
export function resolveAddress(map: LinkMap, from: string, address: string): Resolved {
  const text = address.trim()
  if (text === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i.test(text)) return { kind: 'kept', href: address }
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
  // Resolve relative to the URL of the page, where pages are folders.
  const route = map.pages.get(from)
  if (route === undefined) return null
  const candidates = [posix.join(posix.dirname(route), path), posix.join(route, path)]
  for (const place of candidates) {
    const resolved = findAbsolute(map, place)
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

/** Creates a map for a site where the path of each page follows from its file. For `roots`, see LinkMap. */
export function createLinkMap(
  docs: Iterable<{ page: { file: string }; place: string }>,
  assets: LinkMap['assets'],
  roots: readonly string[],
): LinkMap {
  const all = [...docs].map(({ page, place }) => [page.file, toRoute(place)] as const)
  return { pages: new Map(all), assets, routes: new Map(all.map(([, route]) => [route, route])), roots }
}

/** Returns a function that maps URLs in `file`. Broken links are noted and left unchanged. */
export function createLinkResolver(
  notes: Notes,
  map: LinkMap,
  file: string,
): (address: string, line: number) => string {
  return (address, line) => {
    const found = resolveAddress(map, file, address)
    if (found.kind === 'missing')
      notes.add('link', { file, line }, `There is nothing at ${excerpt(address)}.`)
    return found.href
  }
}

/**
 * Converts pairs of old URL and target, relative to the file `from`, to docs.json redirects. Null if there are none.
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
      notes.add('link', { file, line: null }, `A redirect leads to ${excerpt(target)}, where nothing is.`)
    return [{ source, destination: found.href }]
  })
  return redirects.length === 0 ? null : redirects
}
