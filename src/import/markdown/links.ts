/** Addresses of the old site as addresses of the new one. */
import { posix } from 'node:path'
import { decodePath } from '../../site/routes.ts'
import { withoutSlashes } from '../imported-site.ts'

export interface LinkMap {
  /** Routes of the new site by source file. */
  pages: ReadonlyMap<string, string>
  /** Places in the new folder, without a leading slash, by source file. */
  assets: ReadonlyMap<string, string>
  /** Addresses of the old site that are another in the new one, or the same: `/docs/x`. */
  routes: ReadonlyMap<string, string>
  /** Folders of the source that stand at the root of the old site: static files. */
  roots: readonly string[]
}

export type Resolved =
  | { kind: 'kept'; href: string }
  | { kind: 'found'; href: string }
  | { kind: 'missing'; href: string }

const PAGE_ENDINGS = ['', '.md', '.mdx', '.markdown', '/index.md', '/index.mdx', '/README.md', '/readme.md']

/** `from` is the source file the address stands in. */
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
  // Seen from the page's address, where pages are folders.
  const route = map.pages.get(from)
  if (route === undefined) return null
  const places = [posix.join(posix.dirname(route), path), posix.join(route, path)]
  for (const place of places) {
    const there = findAbsolute(map, place)
    if (there !== null) return there
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
  const route = `/${withoutSlashes(posix.normalize(path))}`
  const bare = route.replace(/(?:\/index)?\.(?:html?|mdx?)$/, '') || '/'
  const known = map.routes.get(route) ?? map.routes.get(bare)
  if (known !== undefined) return known
  for (const root of map.roots) {
    const found = findFile(map, posix.join(root, route.slice(1)))
    if (found !== null) return found
  }
  return null
}
