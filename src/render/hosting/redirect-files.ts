/** Redirects without a server program: redirect pages, and rules in the formats of static hosts. */
import type { Redirect, Site } from '../../site/model.ts'
import { patternOf, sourceOf } from '../../site/navigation/redirect-patterns.ts'
import { findRedirect, pathOf, wildcardOf } from '../../site/navigation/redirects.ts'
import { encodeUrl, inOrder } from './redirect-rules.ts'

/** Pages generated for wildcard redirects; more than any site would have moved by hand. */
const MOST_MOVED_PAGES = 20_000
/** Comparisons of pages with wildcard redirects, in total. */
const MOST_COMPARED = 10_000_000

export interface MovedPath {
  /** Path without a wildcard. */
  source: string
  destination: string
}

/**
 * Returns all old paths that can be determined: exact ones, and for redirects with a wildcard or parameters the paths
 * that lead to a page. `routes` are the pages of the bundle.
 */
export function movedPaths(site: Site, routes: ReadonlySet<string>): MovedPath[] {
  const moved = new Map<string, string>()
  let compared = 0
  const add = (source: string) => {
    if (moved.has(source) || site.pages.has(source) || moved.size >= MOST_MOVED_PAGES) return
    const found = findRedirect(site.redirects, source)
    if (found) moved.set(source, found.destination)
  }
  for (const redirect of site.redirects) {
    if (!wildcardOf(redirect) && !patternOf(redirect)) add(redirect.source)
  }
  for (const redirect of site.redirects) {
    const wildcard = patternOf(redirect) ? null : wildcardOf(redirect)
    if (!wildcard) continue
    const { prefix, destination } = wildcard
    if (prefix.endsWith('/') && prefix !== '/' && leadsSomewhere(site, prefix.slice(0, -1), routes))
      add(prefix.slice(0, -1))
    if (destination.after === null || !destination.before.startsWith('/')) continue
    const after = pathOf(destination.after)
    compared += routes.size
    if (compared > MOST_COMPARED) break
    for (const route of routes) {
      const isFit = route.length > destination.before.length + after.length
      if (isFit && route.startsWith(destination.before) && route.endsWith(after))
        add(prefix + route.slice(destination.before.length, route.length - after.length))
    }
  }
  for (const redirect of site.redirects) {
    const pattern = patternOf(redirect)
    const sourceFor = pattern && sourceOf(pattern)
    if (!sourceFor) continue
    compared += routes.size
    if (compared > MOST_COMPARED) break
    for (const route of routes) {
      const source = sourceFor(route)
      if (source !== null) add(source)
    }
  }
  return [...moved].map(([source, destination]) => ({ source, destination }))
}

function leadsSomewhere(site: Site, source: string, routes: ReadonlySet<string>): boolean {
  const destination = findRedirect(site.redirects, source)?.destination ?? ''
  return !destination.startsWith('/') || routes.has(pathOf(destination))
}

/**
 * Returns one rule per line, with `:splat` for the text matched by `*`. Exact rules come first: some hosts count all
 * rules from the first wildcard on as dynamic and limit their number. Parameter names are letters, digits and `_`
 * there.
 */
export function redirectLines(site: Site): string {
  const lines = inOrder(site.redirects).map((redirect) => {
    const plain = patternOf(redirect) ? withPlainNames(redirect) : redirect
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

/** Settings for a host that reads redirects as JSON and serves pages without their extension. */
export function redirectJson(site: Site): string {
  const redirects = inOrder(site.redirects).map((redirect) => {
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
  const wildcard = wildcardOf(redirect)
  if (!wildcard) return { source: redirect.source, destination: redirect.destination }
  const { before, after } = wildcard.destination
  const destination = after === null ? before : before + destinationMark + after
  return { source: redirect.source.replace(/(?::[\w-]+)?\*$/, sourceMark), destination }
}
