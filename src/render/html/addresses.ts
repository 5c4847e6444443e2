/** Lists attributes that contain URLs, including those that browsers fetch automatically. */
import { escapeHtml } from './html.ts'
import type { Attributes, Piece, TrustedHtml } from './markup.ts'
import { readSrcset } from './srcset.ts'

/**
 * Prefix of a link to a file instead of a page. `/guides/x.md` is the page, as authors expect, and
 * `octavo-file:guides/x.md` is its Markdown version.
 */
export const OUTPUT_FILE_PREFIX = 'octavo-file:'

export const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src poster action formaction xlink:href data-href data-src data-url'.split(' '),
)
/** Attributes with a list of images for different screens. */
export const SRCSET_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'data-srcset'])
/**
 * Attributes to remove from copies, because a page opened from disk has no origin and a copied style sheet has
 * another hash.
 */
export const ORIGIN_ATTRIBUTES: ReadonlySet<string> = new Set(['crossorigin', 'integrity'])
/** Matches `<meta http-equiv="refresh" content="0; url=…">`. */
export const META_REFRESH = /^(\s*\d+\s*;\s*url=)(.*)$/i

const NONE: readonly string[] = []
const LOADED_ATTRIBUTES = new Set([...SRCSET_ATTRIBUTES, 'src', 'poster', 'data-src', 'background'])
const LOADING_REL = /\b(?:stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/i
const COPIED_REL = /\b(?:stylesheet|icon)\b/i
/** Elements that load programs or pages. Never copied, because these depend on several files and their own server. */
const NEVER_COPIED_TAGS = new Set(['script', 'iframe', 'embed', 'object', 'frame'])
const REMOTE_URL = /^\s*(?:https?:)?\/\//i
/** Tested after removing characters that browsers ignore before the scheme. */
const SCRIPT_SCHEME = /^(?:javascript|vbscript):/i
const SPACE_AND_CONTROL = /[\u0000-\u0020]/g

export function isRemote(url: string): boolean {
  return REMOTE_URL.test(url)
}

/** Returns a URL with a scheme, by default `https:`. */
export function toFetchableUrl(url: string): string {
  const trimmed = url.trim()
  return trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
}

/** Returns an empty string for an attribute without a value, and null if the attribute is missing. */
export function attributeValue(attributes: Attributes, name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1] ?? ''
  return null
}

/** Returns remote URLs in an attribute that browsers fetch automatically. */
export function listFetchedUrls(
  tag: string,
  attributes: Attributes,
  name: string,
  value: string,
): readonly string[] {
  if (!value.includes('//')) return NONE
  if (SRCSET_ATTRIBUTES.has(name))
    return readSrcset(value)
      .map(({ url }) => url)
      .filter(isRemote)
  return isRemote(value) && isLoaded(tag, attributes, name) ? [value] : []
}

function isLoaded(tag: string, attributes: Attributes, name: string): boolean {
  if (LOADED_ATTRIBUTES.has(name)) return true
  if (tag === 'object') return name === 'data'
  if (name !== 'href' && name !== 'xlink:href') return false
  if (tag === 'link') return LOADING_REL.test(attributeValue(attributes, 'rel') ?? '')
  return tag === 'image' || tag === 'use' || tag === 'feImage'
}

/** Returns remote URLs in a tag that can be downloaded: images, video, audio, style sheets. */
export function listCopiedUrls(tag: string, attributes: Attributes): readonly string[] {
  if (NEVER_COPIED_TAGS.has(tag)) return []
  if (tag === 'link' && !COPIED_REL.test(attributeValue(attributes, 'rel') ?? '')) return []
  let found = NONE
  for (let i = 0; i < attributes.length; i += 2) {
    const more = listFetchedUrls(tag, attributes, attributes[i] as string, attributes[i + 1] ?? '')
    if (more.length > 0) found = [...found, ...more]
  }
  return found
}

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

/** Formats an attribute. URLs that run scripts become `#`. */
export function formatAttribute(name: string, value: string | null): string {
  if (value === null) return ` ${name}`
  return ` ${name}="${LINK_ATTRIBUTES.has(name) && runsScript(value) ? '#' : escapeHtml(value)}"`
}

function isOpen(tag: string, attributes: Attributes, name: string, value: string): boolean {
  if (LINK_ATTRIBUTES.has(name) && (value.startsWith('/') || value.startsWith(OUTPUT_FILE_PREFIX)))
    return true
  if (SRCSET_ATTRIBUTES.has(name) || ORIGIN_ATTRIBUTES.has(name)) return true
  if (name === 'style') return value.includes('url(')
  if (name === 'content' && tag === 'meta') return META_REFRESH.test(value)
  return listFetchedUrls(tag, attributes, name, value).length > 0
}

function runsScript(address: string): boolean {
  return SCRIPT_SCHEME.test(address.replace(SPACE_AND_CONTROL, ''))
}
