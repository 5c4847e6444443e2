/** Redirects where no program answers: pages that lead on, and rules in the forms that hosts of files read. */
import type { Redirect, Site } from '../../site/model.ts'
import { patternOf, type RedirectPattern, sourceOf } from '../../site/redirect-patterns.ts'
import { findRedirect, pathOf, wildcardOf } from '../../site/redirects.ts'
import { encodePath } from '../html/encode-path.ts'

/** Pages made for redirects with a wildcard: more than any site has moved by hand. */
const MOST_MOVED_PAGES = 20_000
/** Pages held against redirects with a wildcard, for all of these together. */
const MOST_COMPARED = 10_000_000

export interface MovedPath {
  /** A path without wildcard. */
  source: string
  destination: string
}

/**
 * Every old address that can be known: the exact ones, and of those with a wildcard or named parts the ones that lead to
 * a page.
 * `routes` are the pages of the bundle.
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

/** One rule a line, with `:splat` for what `*` stood for. */
export function redirectLines(site: Site): string {
  const lines = site.redirects.map((redirect) => {
    const { source, destination } = rulePaths(redirect, '*', ':splat')
    return `${encodeUrl(source)} ${encodeUrl(destination)} ${redirect.isPermanent ? 308 : 307}\n`
  })
  return lines.join('')
}

/** Settings of a host that reads redirects as JSON and serves pages without their extension. */
export function redirectJson(site: Site): string {
  const redirects = site.redirects.map((redirect) => {
    const { source, destination } = rulePaths(
      { ...redirect, source: redirect.source.replace(/[(){}+?]/g, '\\$&') },
      ':rest*',
      ':rest*',
    )
    return { source, destination, permanent: redirect.isPermanent }
  })
  return `${JSON.stringify({ cleanUrls: true, redirects }, null, 2)}\n`
}

/** Maps for nginx, to be included at the level of `http`; the comment in the file says how they are used. */
export function redirectMaps(site: Site): string {
  const map = (variable: string, isPermanent: boolean) => {
    const rules = site.redirects
      .filter((redirect) => redirect.isPermanent === isPermanent)
      .sort(
        (a, b) =>
          Number(wildcardOf(a) !== null) - Number(wildcardOf(b) !== null) ||
          b.source.length - a.source.length,
      )
      .map(nginxRule)
    return `map $uri $${variable} {\n    default "";\n${rules.join('')}}\n`
  }
  return `# Include this file in the http block. In the server block:
#   if ($octavo_moved) { return 308 $octavo_moved; }
#   if ($octavo_elsewhere) { return 307 $octavo_elsewhere; }
#   location / { try_files $uri $uri.html $uri/index.html =404; }
#   error_page 404 /404.html;
${map('octavo_moved', true)}${map('octavo_elsewhere', false)}`
}

/** Keys are regular expressions: plain ones would not tell upper from lower case. */
function nginxRule(redirect: Redirect): string {
  const pattern = patternOf(redirect)
  if (pattern) return nginxPatternRule(pattern)
  const wildcard = wildcardOf(redirect)
  if (!wildcard) {
    return `    "~^${nginxPattern(redirect.source)}/?$" "${nginxText(redirect.destination)}";\n`
  }
  const { before, after } = wildcard.destination
  const target = nginxText(before) + (after === null ? '' : `\${octavo_rest}${nginxText(after)}`)
  return `    "~^${nginxPattern(wildcard.prefix)}(?<octavo_rest>.*)$" "${target}";\n`
}

/** Captured parts have names of our own: those of authors may hold hyphens, which nginx knows none with. */
function nginxPatternRule({ segments, names, rest, redirect }: RedirectPattern): string {
  const parts = segments.map((segment, index) =>
    segment === null ? `(?<octavo_${index}>[^/]+)` : nginxPattern(segment),
  )
  const tail = rest === null ? '/?' : '/?(?<octavo_rest>.*)'
  let target = nginxText(redirect.destination)
  const places = [...names.entries()].filter(([, name]) => name !== null)
  for (const [index, name] of places.sort(([, a], [, b]) => (b ?? '').length - (a ?? '').length))
    target = target.replaceAll(`:${name}`, `\${octavo_${index}}`)
  if (rest !== null) {
    const named = [`:${rest}*`, `:${rest}`].find((word) => target.includes(word))
    target = target.replace(rest === '*' ? '*' : (named ?? ''), () => '${octavo_rest}')
  }
  return `    "~^/${parts.join('/')}${tail}$" "${target}";\n`
}

/** The path as nginx compares it, decoded; in quotation marks a backslash is written twice. */
function nginxPattern(path: string): string {
  return path
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
}

/** `$` would begin a variable, and a quotation mark end the text. */
function nginxText(url: string): string {
  return encodeUrl(url).replace(/["\\${};]/g, (character) => encodeURIComponent(character))
}

function rulePaths(redirect: Redirect, sourceMark: string, destinationMark: string): MovedPath {
  const wildcard = wildcardOf(redirect)
  if (!wildcard) return { source: redirect.source, destination: redirect.destination }
  const { before, after } = wildcard.destination
  const destination = after === null ? before : before + destinationMark + after
  return { source: redirect.source.replace(/(?::[\w-]+)?\*$/, sourceMark), destination }
}

function encodeUrl(url: string): string {
  return url.replace(/[^\x21-\x7e]/gu, (character) => encodePath(character))
}
