/**
 * Rewrites links of rendered pages (`/guides/x#y`, `/images/a.png`). In bundles they are relative with
 * `.html`, so that pages work from disk. On hosted sites they are absolute without extension.
 */

import type { Deployment } from '../../base/api/features.ts'
import { ROOT_MARK } from '../../base/api/navigation-script.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import type { Site } from '../../site/model.ts'
import { findRedirect } from '../../site/navigation/redirects.ts'
import { findFolderPage } from '../../site/pages/folder-pages.ts'
import {
  formatAttribute,
  isRemote,
  LINK_ATTRIBUTES,
  listFetchedUrls,
  META_REFRESH,
  ORIGIN_ATTRIBUTES,
  OUTPUT_FILE_PREFIX,
  SRCSET_ATTRIBUTES,
} from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'
import { encodePath } from '../html/encode-path.ts'
import type { Attributes } from '../html/markup.ts'
import { rewriteSrcset } from '../html/srcset.ts'
import { NO_REMOTE_ASSETS, type RemoteAssets } from '../remote/remote-assets.ts'
import type { OutputNames } from '../versions/output-names.ts'

export interface LinkRewriter {
  /**
   * Returns attributes with links rewritten for a page in a folder of this depth or for `ANY_DEPTH`, each with
   * a leading space.
   */
  rewriteAttributes(tag: string, attributes: Attributes, depth: number): string
  /** Rewrites a link. Returns links to other sites unchanged. */
  rewriteLink(href: string, depth: number): string
  /** Rewrites a link for readers outside of the site: absolute if the origin is known. */
  canonicalLink(href: string): string
  rewriteCss(css: string, depth: number): string
  /**
   * Returns and clears the list of removed remote URLs, which is always empty unless the bundle is air-gapped.
   */
  takeRemote(): string[]
}

export interface LinkScope {
  site: Site
  deployment: Deployment
  names: OutputNames
  /** Routes included in this render. Links to other pages lead to `origin`, if known. */
  included: ReadonlySet<string>
  origin: string | null
  /** Target of `/` if the site has no page there. */
  start: string | null
  /** Local copies of remote files, for air-gapped bundles. */
  remoteAssets?: RemoteAssets
}

/** Represents any depth, in HTML that pages of all depths share. `ROOT_MARK` replaces the path to the root. */
export const ANY_DEPTH = -1
const MAX_REDIRECTS = 10

export function createLinkRewriter(scope: LinkScope): LinkRewriter {
  const links = new SiteLinks(scope)
  // Methods are wrapped, because callers pass them as functions.
  return {
    rewriteLink: (href, depth) => links.rewriteLink(href, depth),
    canonicalLink: (href) => links.canonicalLink(href),
    rewriteAttributes: (tag, attributes, depth) => links.rewriteAttributes(tag, attributes, depth),
    rewriteCss: (css, depth) => links.rewriteCss(css, depth),
    takeRemote: () => links.takeRemote(),
  }
}

interface AttributeOfTag {
  tag: string
  attributes: Attributes
  name: string
  value: string
}

class SiteLinks implements LinkRewriter {
  readonly #scope: LinkScope
  readonly #known = new Map<string, Target>()
  /** Remote URLs that browsers would fetch automatically. */
  readonly #remote = new Set<string>()
  readonly #isClosed: boolean
  readonly #remoteAssets: RemoteAssets

  constructor(scope: LinkScope) {
    this.#scope = scope
    this.#isClosed = scope.deployment === 'air-gapped'
    this.#remoteAssets = scope.remoteAssets ?? NO_REMOTE_ASSETS
  }

  rewriteAttributes(tag: string, attributes: Attributes, depth: number): string {
    let text = ''
    for (let i = 0; i < attributes.length; i += 2) {
      const name = attributes[i] as string
      const value = attributes[i + 1] as string | null
      const rewritten = this.#attribute({ tag, attributes, name, value: value ?? '' }, depth)
      if (rewritten !== false) text += formatAttribute(name, rewritten ?? value)
    }
    return text
  }

  rewriteCss(css: string, depth: number): string {
    return rewriteCssUrls(css, (url) => this.#cssUrl(url, depth))
  }

  takeRemote(): string[] {
    const remoteUrls = [...this.#remote].sort()
    this.#remote.clear()
    return remoteUrls
  }

  #targetOf(path: string): Target {
    const found = this.#known.get(path)
    if (found) return found
    const target = resolvePath(this.#scope, path, 0)
    this.#known.set(path, target)
    return target
  }

  rewriteLink(href: string, depth: number): string {
    if (href.startsWith(OUTPUT_FILE_PREFIX)) {
      const file = href.slice(OUTPUT_FILE_PREFIX.length)
      return this.#scope.deployment === 'cloud' ? `/${encodePath(file)}` : relativeUrl(file, depth)
    }
    if (!href.startsWith('/') || href.startsWith('//')) return href
    const { path, query, fragment } = splitHref(href)
    const target = this.#targetOf(path)
    if (target.kind === 'unknown') return href
    const tail = (query || target.query) + (fragment || target.fragment)
    if (target.kind === 'external') return target.href + tail
    if (this.#scope.deployment !== 'cloud') return relativeUrl(target.file, depth) + tail
    return (
      (target.route === null ? `/${encodePath(target.file)}` : routeUrl(this.#scope.site, target.route)) +
      tail
    )
  }

  /** Treats all URLs in CSS as fetched automatically. */
  #cssUrl(url: string, depth: number): string | null {
    if (!this.#isClosed || !isRemote(url)) return this.rewriteLink(url, depth)
    const copy = this.#copyOf(url, depth)
    if (copy === null) this.#remote.add(url)
    return copy
  }

  #copyOf(url: string, depth: number): string | null {
    const path = this.#remoteAssets.pathOf(url)
    return path === null ? null : this.rewriteLink(OUTPUT_FILE_PREFIX + path, depth)
  }

  /** Replaces remote URLs with copies. Returns false if a copy is missing. */
  #withCopies(name: string, value: string, fetched: readonly string[], depth: number) {
    const missing = fetched.filter((url) => this.#remoteAssets.pathOf(url) === null)
    for (const url of missing) this.#remote.add(url)
    if (missing.length > 0) return false
    const rewrite = (url: string) =>
      (isRemote(url) ? this.#copyOf(url, depth) : null) ?? this.rewriteLink(url, depth)
    return SRCSET_ATTRIBUTES.has(name) ? rewriteSrcset(value, rewrite) : rewrite(value)
  }

  /** Returns the new value, null to leave it unchanged, or false to remove the attribute. */
  #attribute({ tag, attributes, name, value }: AttributeOfTag, depth: number): string | null | false {
    if (this.#isClosed) {
      if (ORIGIN_ATTRIBUTES.has(name)) return false
      const fetched = listFetchedUrls(tag, attributes, name, value)
      if (fetched.length > 0) return this.#withCopies(name, value, fetched, depth)
    }
    if (LINK_ATTRIBUTES.has(name)) return this.rewriteLink(value, depth)
    if (SRCSET_ATTRIBUTES.has(name)) return rewriteSrcset(value, (href) => this.rewriteLink(href, depth))
    if (name === 'style')
      return value.includes('url(') ? rewriteCssUrls(value, (url) => this.#cssUrl(url, depth)) : null
    if (name === 'content' && tag === 'meta') {
      const refresh = META_REFRESH.exec(value)
      return refresh && refresh[1] + this.rewriteLink(refresh[2] as string, depth)
    }
    return null
  }

  canonicalLink(href: string): string {
    if (!href.startsWith('/') || href.startsWith('//')) return href
    const { path, query, fragment } = splitHref(href)
    const target = this.#targetOf(path)
    const home = this.#scope.origin ?? ''
    if (target.kind === 'unknown') return home + href
    const tail = (query || target.query) + (fragment || target.fragment)
    if (target.kind === 'external') return target.href + tail
    const url =
      target.route === null ? `/${encodePath(target.file)}` : routeUrl(this.#scope.site, target.route)
    return home + url + tail
  }
}

type Target =
  | { kind: 'file'; file: string; route: string | null; query: string; fragment: string }
  | { kind: 'external'; href: string; query: string; fragment: string }
  | { kind: 'unknown' }

/** Resolves to a page, a redirect or a file, in the same order as requests. */
function resolvePath(scope: LinkScope, rawPath: string, hops: number): Target {
  const path = normalisePath(rawPath)
  const route = findRoute(scope.site, path)
  if (route !== null) return pageTarget(scope, route)
  const destination = hops < MAX_REDIRECTS ? findRedirect(scope.site.redirects, path)?.destination : undefined
  if (destination !== undefined) {
    const to = splitHref(destination)
    if (!destination.startsWith('/') || destination.startsWith('//')) {
      return { kind: 'external', href: to.path, query: to.query, fragment: to.fragment }
    }
    const target = resolvePath(scope, to.path, hops + 1)
    if (target.kind === 'unknown') return target
    return { ...target, query: to.query || target.query, fragment: to.fragment || target.fragment }
  }
  const asset = path.slice(1)
  const file = scope.names.assets.get(asset) ?? (scope.names.has(asset) ? asset : null)
  if (file !== null) return { kind: 'file', file, route: null, query: '', fragment: '' }
  if (path === '/' && scope.start !== null && hops === 0) return resolvePath(scope, scope.start, 1)
  const inside = findFolderPage(scope.site, path)
  return inside === null ? { kind: 'unknown' } : pageTarget(scope, inside)
}

function pageTarget(scope: LinkScope, route: string): Target {
  if (!scope.included.has(route)) {
    if (scope.origin === null) return { kind: 'unknown' }
    return { kind: 'external', href: scope.origin + routeUrl(scope.site, route), query: '', fragment: '' }
  }
  const file = scope.names.pages.get(route) as string
  return { kind: 'file', file, route, query: '', fragment: '' }
}

/**
 * Returns the route for a path, which may end in `.md`, `.mdx`, `.html` or `/index`; null if there is no
 * page.
 */
function findRoute(site: Site, path: string): string | null {
  if (site.pages.has(path)) return path
  const bare = path.replace(/\.(?:mdx?|html)$/, '')
  if (site.pages.has(bare)) return bare
  const folder = bare.replace(/\/index$/, '') || '/'
  return site.pages.has(folder) ? folder : null
}

/** Decodes a path without fragment and query. Removes duplicate and trailing slashes, and dot segments. */
export function normalisePath(path: string): string {
  const parts: string[] = []
  for (const part of decodePath(path).split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

function splitHref(href: string): { path: string; query: string; fragment: string } {
  const hash = href.indexOf('#')
  const beforeHash = hash === -1 ? href : href.slice(0, hash)
  const mark = beforeHash.indexOf('?')
  return {
    path: mark === -1 ? beforeHash : beforeHash.slice(0, mark),
    query: mark === -1 ? '' : beforeHash.slice(mark),
    fragment: hash === -1 ? '' : href.slice(hash),
  }
}

/** Returns the path of a page on hosted sites and in canonical URLs. */
export function routeUrl(site: Site, route: string): string {
  const path = route === '/' ? '/' : `/${encodePath(route.slice(1))}`
  return site.config.seo.trailingSlash && path !== '/' ? `${path}/` : path
}

/** Returns the relative URL of a file in a bundle, for a page in a folder of this depth. */
function relativeUrl(file: string, depth: number): string {
  const encoded = encodePath(file)
  if (depth > 0) return '../'.repeat(depth) + encoded
  const inRoot = /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded
  return depth === ANY_DEPTH ? ROOT_MARK + inRoot : inRoot
}
