/** Attributes that contain URLs, and those whose URLs a browser fetches automatically. */
import { escapeHtml } from './html.ts'
import type { Attributes, Piece, TrustedHtml } from './markup.ts'
import { readSrcset } from './srcset.ts'

/**
 * Prefix of a link to a file, where the path alone would mean a page: for an author `/guides/x.md` is the page, but
 * `octavo-file:guides/x.md` is its Markdown twin.
 */
export const OUTPUT_FILE = 'octavo-file:'

/** Attributes with a single URL. */
export const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src poster action formaction xlink:href data-href data-src data-url'.split(' '),
)
/** Attributes with a list of images for different screens. */
export const LIST_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'data-srcset'])
/** Removed for copies: a page opened from disk has no origin, and a copied style sheet does not match the hash. */
export const ORIGIN_ATTRIBUTES: ReadonlySet<string> = new Set(['crossorigin', 'integrity'])
/** Matches `<meta http-equiv="refresh" content="0; url=…">`. */
export const REFRESH = /^(\s*\d+\s*;\s*url=)(.*)$/i

const NONE: readonly string[] = []
const LOADED = new Set([...LIST_ATTRIBUTES, 'src', 'poster', 'data-src', 'background'])
const LOADING_REL = /\b(?:stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/i
const COPIED_REL = /\b(?:stylesheet|icon)\b/i
/** Elements that load programs or pages, which consist of several files and depend on their own server. */
const NEVER_COPIED = new Set(['script', 'iframe', 'embed', 'object', 'frame'])
const REMOTE = /^\s*(?:https?:)?\/\//i
/** Tested after removing the characters that browsers ignore before a scheme. */
const SCRIPT_ADDRESS = /^(?:javascript|vbscript):/i
const SPACE_AND_CONTROL = /[\u0000-\u0020]/g

export function isRemote(url: string): boolean {
  return REMOTE.test(url)
}

/** Returns a URL that can be fetched; without a scheme, `https:` is assumed. */
export function toFetchableUrl(url: string): string {
  const trimmed = url.trim()
  return trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
}

/** Returns `''` for an attribute without a value, null if it is absent. */
export function attributeValue(attributes: Attributes, name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1] ?? ''
  return null
}

/** Returns the URLs on other servers that a browser fetches automatically for this attribute. */
export function listFetchedUrls(
  tag: string,
  attributes: Attributes,
  name: string,
  value: string,
): readonly string[] {
  if (!value.includes('//')) return NONE
  if (LIST_ATTRIBUTES.has(name))
    return readSrcset(value)
      .map(({ url }) => url)
      .filter(isRemote)
  return isRemote(value) && isLoaded(tag, attributes, name) ? [value] : []
}

function isLoaded(tag: string, attributes: Attributes, name: string): boolean {
  if (LOADED.has(name)) return true
  if (tag === 'object') return name === 'data'
  if (name !== 'href' && name !== 'xlink:href') return false
  if (tag === 'link') return LOADING_REL.test(attributeValue(attributes, 'rel') ?? '')
  return tag === 'image' || tag === 'use' || tag === 'feImage'
}

/** Returns the URLs in this tag that can be downloaded: images, video, audio, style sheets. */
export function listCopiedUrls(tag: string, attributes: Attributes): string[] {
  if (NEVER_COPIED.has(tag)) return []
  if (tag === 'link' && !COPIED_REL.test(attributeValue(attributes, 'rel') ?? '')) return []
  const found: string[] = []
  for (let i = 0; i < attributes.length; i += 2)
    found.push(...listFetchedUrls(tag, attributes, attributes[i] as string, attributes[i + 1] ?? ''))
  return found
}

/** Attributes of a start tag: as text, or as a placeholder if they depend on the deployment. */
export function createAttributesPiece(tag: string, attributes: Attributes): Piece {
  let text = ''
  for (let i = 0; i < attributes.length; i += 2) {
    const name = attributes[i] as string
    const value = attributes[i + 1] as string | null
    if (isOpen(tag, attributes, name, value ?? '')) return { kind: 'attributes', tag, attributes }
    text += formatAttribute(name, value)
  }
  return text as TrustedHtml
}

/** Writes ` name="value"`. URLs that run script become `#`. */
export function formatAttribute(name: string, value: string | null): string {
  if (value === null) return ` ${name}`
  return ` ${name}="${LINK_ATTRIBUTES.has(name) && runsScript(value) ? '#' : escapeHtml(value)}"`
}

function isOpen(tag: string, attributes: Attributes, name: string, value: string): boolean {
  if (LINK_ATTRIBUTES.has(name) && (value.startsWith('/') || value.startsWith(OUTPUT_FILE))) return true
  if (LIST_ATTRIBUTES.has(name) || ORIGIN_ATTRIBUTES.has(name)) return true
  if (name === 'style') return value.includes('url(')
  if (name === 'content' && tag === 'meta') return REFRESH.test(value)
  return listFetchedUrls(tag, attributes, name, value).length > 0
}

function runsScript(address: string): boolean {
  return SCRIPT_ADDRESS.test(address.replace(SPACE_AND_CONTROL, ''))
}
