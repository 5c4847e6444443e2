/**
 * Writes redirects for hosts without a server program: redirect pages, and rules in the formats of static
 * hosts.
 */
import type { Redirect, Site } from '../../site/model.ts'
import { parsePattern, reversePattern } from '../../site/navigation/redirect-patterns.ts'
import { findRedirect, parseWildcard, withoutQuery } from '../../site/navigation/redirects.ts'
import { encodeUrl, sortForHosts } from './redirect-rules.ts'

/** Maximum number of pages generated for wildcard redirects. */
const MAX_MOVED_PAGES = 20_000
/** Maximum number of comparisons between pages and wildcard redirects. */
const MAX_COMPARISONS = 10_000_000

export interface MovedPath {
  /** Without a wildcard. */
  source: string
  destination: string
}

/**
 * Returns all known old paths: the sources of exact redirects and, for redirects with a wildcard or parameters,
 * the paths that lead to a page. `routes` are the pages of the bundle.
 */
export function listMovedPaths(site: Site, routes: ReadonlySet<string>): MovedPath[] {
  const moved = new Map<string, string>()
  let compared = 0
  const add = (source: string) => {
    if (moved.has(source) || site.pages.has(source) || moved.size >= MAX_MOVED_PAGES) return
    const found = findRedirect(site.redirects, source)
    if (found) moved.set(source, found.destination)
  }
  for (const redirect of site.redirects) {
    if (!parseWildcard(redirect) && !parsePattern(redirect)) add(redirect.source)
  }
  for (const redirect of site.redirects) {
    const wildcard = parsePattern(redirect) ? null : parseWildcard(redirect)
    if (!wildcard) continue
    const { prefix, destination } = wildcard
    if (prefix.endsWith('/') && prefix !== '/' && isReachable(site, prefix.slice(0, -1), routes))
      add(prefix.slice(0, -1))
    if (destination.after === null || !destination.before.startsWith('/')) continue
    const after = withoutQuery(destination.after)
    compared += routes.size
    if (compared > MAX_COMPARISONS) break
    for (const route of routes) {
      const isFit = route.length > destination.before.length + after.length
      if (isFit && route.startsWith(destination.before) && route.endsWith(after))
        add(prefix + route.slice(destination.before.length, route.length - after.length))
    }
  }
  for (const redirect of site.redirects) {
    const pattern = parsePattern(redirect)
    const sourceFor = pattern && reversePattern(pattern)
    if (!sourceFor) continue
    compared += routes.size
    if (compared > MAX_COMPARISONS) break
    for (const route of routes) {
      const source = sourceFor(route)
      if (source !== null) add(source)
    }
  }
  return [...moved].map(([source, destination]) => ({ source, destination }))
}

function isReachable(site: Site, source: string, routes: ReadonlySet<string>): boolean {
  const destination = findRedirect(site.redirects, source)?.destination ?? ''
  return !destination.startsWith('/') || routes.has(withoutQuery(destination))
}

/**
 * Returns a rule per line, with `:splat` for the text matched by `*`. Exact rules come first, because some
 * hosts limit the number of dynamic rules and count all rules after the first wildcard. Parameter names may
 * contain only letters, digits and `_`.
 */
export function buildRedirectLines(site: Site): string {
  const lines = sortForHosts(site.redirects).map((redirect) => {
    const plain = parsePattern(redirect) ? withPlainNames(redirect) : redirect
    const { source, destination } = rulePaths(plain, '*', ':splat')
    return `${encodeUrl(source)} ${encodeUrl(destination)} ${redirect.isPermanent ? 308 : 307}\n`
  })
  return lines.join('')
}

function withPlainNames(redirect: Redirect): Redirect {
  const plain = (path: string) =>
    path.replace(/:([A-Za-z_][\w-]*)/g, (_whole, name: string) => `:${name.replaceAll('-', '_')}`)
  return { ...redirect, source: plain(redirect.source), destination: plain(redirect.destination) }
}

/** Returns redirects as JSON, for a host that serves pages without their extension. */
export function buildRedirectJson(site: Site): string {
  const redirects = sortForHosts(site.redirects).map((redirect) => {
    const { source, destination } = rulePaths(
      { ...redirect, source: redirect.source.replace(/[(){}+?]/g, '\\$&') },
      ':rest*',
      ':rest*',
    )
    return { source, destination, permanent: redirect.isPermanent }
  })
  return `${JSON.stringify({ cleanUrls: true, redirects }, null, 2)}\n`
}

function rulePaths(redirect: Redirect, sourceMark: string, destinationMark: string): MovedPath {
  const wildcard = parseWildcard(redirect)
  if (!wildcard) return { source: redirect.source, destination: redirect.destination }
  const { before, after } = wildcard.destination
  const destination = after === null ? before : before + destinationMark + after
  return { source: redirect.source.replace(/(?::[\w-]+)?\*$/, sourceMark), destination }
}
