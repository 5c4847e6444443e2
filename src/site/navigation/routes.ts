/** Maps files to routes, and page paths written by authors to files. */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'

const PAGE_FILE = /\.mdx?$/

export function isPageFile(path: string): boolean {
  return PAGE_FILE.test(path)
}

/** Maps `guides/x.mdx` to `/guides/x`, `a/index.mdx` to `/a`, and `index.mdx` to `/`. */
export function fileToRoute(file: string): string {
  return pathToRoute(file.replace(PAGE_FILE, ''))
}

/** Maps `guides/x/index` to `/guides/x`; tolerates leading `./` and `/`, duplicate and trailing slashes. */
export function pathToRoute(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts[parts.length - 1] === 'index') parts.pop()
  return `/${parts.join('/')}`
}

/** Converts a page path as written by an author (`./guides/x.mdx/`) to the path of a file without extension. */
export function normalizePagePath(text: string): string {
  const path = text
    .trim()
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  return path.replace(PAGE_FILE, '')
}

/** Returns the default title of a page: its last route segment with spaces, capitalized. */
export function createRouteTitle(route: string, fallback: string): string {
  const words = posix.basename(route).replace(/[-_]+/g, ' ').trim()
  if (words === '') return fallback
  const [first = '', ...rest] = words
  return first.toLocaleUpperCase('en') + rest.join('')
}

/** Converts a text to a URL segment: letters and digits of any script, separated by hyphens. */
export function createSlug(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
}

/**
 * Normalizes a navigation link: removes the extension and trailing slash of routes; leaves external URLs and anchors
 * unchanged.
 */
export function hrefToRoute(href: string): string {
  const text = href.trim()
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(text)) return text
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(text) ?? []
  return pathToRoute(decodePath(path).replace(PAGE_FILE, '')) + suffix
}

/** Normalizes a path in the settings, which is always relative to the docs folder; URLs and anchors are unchanged. */
export function rootPath(text: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?]|$)/i.test(text)) return text
  return `/${text.replace(/^(?:\.{0,2}\/)+/, '')}`
}
