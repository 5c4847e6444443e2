/**
 * What a page would fetch from other servers by itself. In a bundle without a network around it nothing is asked of
 * anybody: copies of such files lie in the bundle, and addresses that have none are taken out and reported.
 */
import type { Problem } from '../../contract/problem.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'
import { editTags } from '../html/html-tags.ts'
import { readSrcset } from '../html/srcset.ts'

const LOADED = new Set(['src', 'srcset', 'imagesrcset', 'poster', 'data-src', 'data-srcset', 'background'])
const LISTS = new Set(['srcset', 'imagesrcset', 'data-srcset'])
const LOADING_REL =
  /\brel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/i
const COPIED_REL = /\brel\s*=\s*["']?[^"'>]*\b(?:stylesheet|icon)\b/i
/** Their files are programs or pages, which are more than one file and want their own server. */
const NEVER_COPIED = new Set(['script', 'iframe', 'embed', 'object', 'frame'])
/** In a longer tag nothing is looked for: it counts as one that loads. */
const MAX_LINK_TAG = 2000
const REMOTE = /^\s*(?:https?:)?\/\//i

export function isRemote(url: string): boolean {
  return REMOTE.test(url)
}

/** An address as it can be fetched: without a scheme it is that of the web. */
export function absoluteUrl(url: string): string {
  const trimmed = url.trim()
  return trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
}

/** Addresses of other servers that a browser fetches for this attribute without being asked. */
export function fetchedAddresses(tag: string, name: string, value: string, source: () => string): string[] {
  if (LISTS.has(name))
    return readSrcset(value)
      .map(({ url }) => url)
      .filter(isRemote)
  if (!isRemote(value)) return []
  return isLoaded(tag, name, source) ? [value] : []
}

function isLoaded(tag: string, name: string, source: () => string): boolean {
  if (LOADED.has(name)) return true
  if (tag === 'object') return name === 'data'
  if (name !== 'href' && name !== 'xlink:href') return false
  if (tag === 'link') return isRelOf(LOADING_REL, source())
  return tag === 'image' || tag === 'use' || tag === 'feimage'
}

function isRelOf(pattern: RegExp, source: string): boolean {
  return source.length > MAX_LINK_TAG || pattern.test(source)
}

/** Addresses in a page that can be downloaded: pictures, films, sounds, style sheets. */
export function copiedAddresses(html: string): string[] {
  if (!html.includes('//')) return []
  const found = new Set<string>()
  const add = (url: string) => {
    if (isRemote(url)) found.add(url)
    return url
  }
  editTags(html, {
    attribute: (tag, name, value, source) => {
      if (name === 'style') rewriteCssUrls(value, add)
      else if (!NEVER_COPIED.has(tag) && (tag !== 'link' || isRelOf(COPIED_REL, source())))
        for (const url of fetchedAddresses(tag, name, value, source)) found.add(url)
      return null
    },
    style: (css) => rewriteCssUrls(css, add),
  })
  return [...found]
}

/** Addresses of other servers in a style sheet. */
export function sheetAddresses(css: string): string[] {
  const found = new Set<string>()
  rewriteCssUrls(css, (url) => {
    if (isRemote(url)) found.add(url)
    return url
  })
  return [...found]
}

/** `fault` says why there is no copy; null when none was tried. */
export function remoteProblem(file: string, url: string, fault: string | null): Problem {
  const why =
    fault === null
      ? 'is on another server, which readers of an air-gapped bundle cannot reach'
      : `is on another server and could not be brought into the bundle (${fault.replace(/\.$/, '')})`
  return {
    file,
    line: null,
    code: 'asset.remote',
    level: 'warning',
    message: `${url} ${why}; the place stays empty.`,
    remedy: 'Put the file into the docs folder and name it by its path.',
  }
}
