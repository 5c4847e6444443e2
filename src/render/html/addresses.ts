/** Which attributes hold addresses, and which of those a browser fetches without being asked. */
import { escapeHtml } from './html.ts'
import type { Attributes, Piece, WrittenHtml } from './markup.ts'
import { readSrcset } from './srcset.ts'

/**
 * Begins a link to a file by its path in the site, where the path alone would lead to a page: `/guides/x.md` means the
 * page to an author, `octavo-file:guides/x.md` is its Markdown twin.
 */
export const OUTPUT_FILE = 'octavo-file:'

/** One address each. */
export const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(
  'href src poster action formaction xlink:href data-href data-src data-url'.split(' '),
)
/** Lists of pictures for screens of several kinds. */
export const LIST_ATTRIBUTES: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'data-srcset'])
/** A copy is of the same origin, which a page from disk has not, and a sheet's copy is not what the hash is of. */
export const ORIGIN_ATTRIBUTES: ReadonlySet<string> = new Set(['crossorigin', 'integrity'])
/** `<meta http-equiv="refresh" content="0; url=…">`. */
export const REFRESH = /^(\s*\d+\s*;\s*url=)(.*)$/i

const NONE: readonly string[] = []
const LOADED = new Set([...LIST_ATTRIBUTES, 'src', 'poster', 'data-src', 'background'])
const LOADING_REL = /\b(?:stylesheet|icon|preload|modulepreload|prefetch|preconnect|dns-prefetch|manifest)\b/i
const COPIED_REL = /\b(?:stylesheet|icon)\b/i
/** Their files are programs or pages, which are more than one file and want their own server. */
const NEVER_COPIED = new Set(['script', 'iframe', 'embed', 'object', 'frame'])
const REMOTE = /^\s*(?:https?:)?\/\//i
/** With what browsers drop before they read a scheme. */
const SCRIPT_ADDRESS = /^(?:javascript|vbscript):/i
const SPACE_AND_CONTROL = /[\u0000-\u0020]/g

export function isRemote(url: string): boolean {
  return REMOTE.test(url)
}

/** An address as it can be fetched: without a scheme it is that of the web. */
export function absoluteUrl(url: string): string {
  const trimmed = url.trim()
  return trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
}

/** `''` for an attribute without a value, null when it is not there. */
export function attributeValue(attributes: Attributes, name: string): string | null {
  for (let i = 0; i < attributes.length; i += 2) if (attributes[i] === name) return attributes[i + 1] ?? ''
  return null
}

/** Addresses of other servers that a browser fetches for this attribute without being asked. */
export function fetchedAddresses(
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

/** Addresses of this tag that can be downloaded: pictures, films, sounds, style sheets. */
export function copiedAddresses(tag: string, attributes: Attributes): string[] {
  if (NEVER_COPIED.has(tag)) return []
  if (tag === 'link' && !COPIED_REL.test(attributeValue(attributes, 'rel') ?? '')) return []
  const found: string[] = []
  for (let i = 0; i < attributes.length; i += 2)
    found.push(...fetchedAddresses(tag, attributes, attributes[i] as string, attributes[i + 1] ?? ''))
  return found
}

/** The attributes of a start tag: as text, or left open where what they say depends on the deployment. */
export function attributesPiece(tag: string, attributes: Attributes): Piece {
  let text = ''
  for (let i = 0; i < attributes.length; i += 2) {
    const name = attributes[i] as string
    const value = attributes[i + 1] as string | null
    if (isOpen(tag, attributes, name, value ?? '')) return { kind: 'attributes', tag, attributes }
    text += attributeText(name, value)
  }
  return text as WrittenHtml
}

/** ` name="value"`. Addresses that run script lead nowhere. */
export function attributeText(name: string, value: string | null): string {
  if (value === null) return ` ${name}`
  return ` ${name}="${LINK_ATTRIBUTES.has(name) && runsScript(value) ? '#' : escapeHtml(value)}"`
}

function isOpen(tag: string, attributes: Attributes, name: string, value: string): boolean {
  if (LINK_ATTRIBUTES.has(name) && (value.startsWith('/') || value.startsWith(OUTPUT_FILE))) return true
  if (LIST_ATTRIBUTES.has(name) || ORIGIN_ATTRIBUTES.has(name)) return true
  if (name === 'style') return value.includes('url(')
  if (name === 'content' && tag === 'meta') return REFRESH.test(value)
  return fetchedAddresses(tag, attributes, name, value).length > 0
}

function runsScript(address: string): boolean {
  return SCRIPT_ADDRESS.test(address.replace(SPACE_AND_CONTROL, ''))
}
