/** Resolves links, for the link check as well as for rendering. */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'
import type { Site } from '../model.ts'
import { findFolderPage } from '../pages/folder-pages.ts'
import { findRedirect } from './redirects.ts'
import { pathToRoute } from './routes.ts'

/** Without sidebars, links to folders have no target. */
export type LinkSite = Pick<Site, 'pages' | 'assets' | 'redirects' | 'homeRoute'> &
  Partial<Pick<Site, 'sidebars'>>

export type LinkTarget =
  /** `suffix` is the query and fragment as written: `?a=b#c` or nothing. */
  | { kind: 'page'; route: string; suffix: string }
  /** A static or generated file; `path` has no leading slash, as in `Site.assets`. */
  | { kind: 'asset'; path: string; suffix: string }
  /** `path` as requested; `destination` is a route, an asset path with a leading slash, or a URL. */
  | { kind: 'redirect'; path: string; destination: string; suffix: string }
  | { kind: 'external'; url: string }
  /** An id on the same page, without `#`; empty for the top. */
  | { kind: 'anchor'; id: string }
  /** Not found; `path` is the path searched for, with a leading slash. */
  | { kind: 'missing'; path: string; suffix: string }
  /** A URL that runs script. */
  | { kind: 'unsafe'; url: string }

/** Files created at the end of rendering, which are not in the docs folder. */
const GENERATED_FILES = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt', 'skill.md', 'mcp']

/** `fromFile` is the file that contains the link, for relative links; null resolves from the root. */
export function resolveLink(site: LinkSite, fromFile: string | null, href: string): LinkTarget {
  const text = href.trim()
  if (text.startsWith('#')) return { kind: 'anchor', id: decodePath(text.slice(1)) }
  // Browsers ignore control characters in a scheme.
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.replace(/[\u0000-\u0020]/g, ''))?.[1]?.toLowerCase()
  if (scheme === 'javascript' || scheme === 'vbscript') return { kind: 'unsafe', url: text }
  if (scheme !== undefined || text.startsWith('//')) return { kind: 'external', url: text }
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(text) ?? []
  if (path === '') return { kind: 'anchor', id: '' }
  const absolute = path.startsWith('/')
    ? path
    : posix.join('/', fromFile ? posix.dirname(fromFile) : '', path)
  const found = resolvePath(site, absolute, suffix)
  if (found) return found
  // Authors often write `guides/x`, without a leading dot, relative to the root.
  if (!/^[./]/.test(path)) {
    const fromRoot = resolvePath(site, `/${path}`, suffix)
    if (fromRoot) return fromRoot
  }
  return { kind: 'missing', path: posix.normalize(absolute), suffix }
}

function resolvePath(site: LinkSite, path: string, suffix: string): LinkTarget | null {
  // Fast path: most links are written as the route itself.
  if (site.pages.has(path)) return { kind: 'page', route: path, suffix }
  const normal = posix.normalize(decodePath(path))
  const asset = normal.slice(1)
  if (site.assets.has(asset)) return { kind: 'asset', path: asset, suffix }
  for (const route of [pathToRoute(normal), pathToRoute(normal.replace(/\.(?:mdx?|html)\/*$/, ''))]) {
    if (site.pages.has(route)) return { kind: 'page', route, suffix }
  }
  const redirect = findRedirect(site.redirects, normal)
  if (redirect) return { kind: 'redirect', path: normal, destination: redirect.destination, suffix }
  if (normal === '/' && site.homeRoute !== null) return { kind: 'page', route: site.homeRoute, suffix }
  if (isGenerated(site, asset)) return { kind: 'asset', path: asset, suffix }
  const inside = findFolderPage(site, pathToRoute(normal))
  return inside === null ? null : { kind: 'page', route: inside, suffix }
}

function isGenerated(site: LinkSite, path: string): boolean {
  if (GENERATED_FILES.includes(path) || path.startsWith('.well-known/')) return true
  return path.endsWith('/rss.xml') && site.pages.has(`/${path.slice(0, -'/rss.xml'.length)}`)
}
