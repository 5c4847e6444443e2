/** From files to addresses, and from what an author writes for a page to its file. */
import { posix } from 'node:path'
import { decodePath } from '../../base/text/decode-path.ts'

const PAGE_FILE = /\.mdx?$/

export function isPageFile(path: string): boolean {
  return PAGE_FILE.test(path)
}

/** `guides/x.mdx` → `/guides/x`, `a/index.mdx` → `/a`, `index.mdx` → `/`. */
export function routeOfFile(file: string): string {
  return routeOfPath(file.replace(PAGE_FILE, ''))
}

/** `guides/x/index` → `/guides/x`; tolerates leading `./` and `/`, doubled and trailing slashes. */
export function routeOfPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  if (parts[parts.length - 1] === 'index') parts.pop()
  return `/${parts.join('/')}`
}

/** What an author may write for a page (`./guides/x.mdx/`) as the path of a file without its extension. */
export function pagePathOf(text: string): string {
  const path = text
    .trim()
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  return path.replace(PAGE_FILE, '')
}

/** Title of a page that names none: its last segment, spaced, with a capital. */
export function titleOfRoute(route: string, fallback: string): string {
  const words = posix.basename(route).replace(/[-_]+/g, ' ').trim()
  if (words === '') return fallback
  const [first = '', ...rest] = words
  return first.toLocaleUpperCase('en') + rest.join('')
}

/** A text as one segment of an address: letters and digits of any script, hyphens between them. */
export function slugOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
}

/** A link of the navigation: routes without extension and trailing slash; addresses of other sites and anchors as they are. */
export function routeOfHref(href: string): string {
  const text = href.trim()
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(text)) return text
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(text) ?? []
  return routeOfPath(decodePath(path).replace(PAGE_FILE, '')) + suffix
}

/** A path of the settings, which counts from the docs folder however it begins; addresses and anchors as they are. */
export function rootPath(text: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?]|$)/i.test(text)) return text
  return `/${text.replace(/^(?:\.{0,2}\/)+/, '')}`
}
