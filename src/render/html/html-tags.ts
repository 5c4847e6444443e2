/** One pass over the tags of HTML or SVG text: every place where an attribute value can be exchanged. Linear in time. */

/**
 * Value of an attribute, decoded and empty where there is none, to its replacement; null keeps the value as it is,
 * false drops the attribute. `source` gives the whole tag as it is written.
 */
export type AttributeEdit = (
  tag: string,
  name: string,
  value: string,
  source: () => string,
) => string | null | false

export interface TagEdits {
  attribute: AttributeEdit
  /** Names of the attributes that `attribute` is asked about; of all when left out. */
  names?: ReadonlySet<string>
  /** Text of a `<style>` element. */
  style?: (css: string) => string
  /** What is put in the place of elements of this name that hold nothing, by their attributes as they are written. */
  standIn?: { tag: string; html: (attributes: string) => string }
  /** Elements to leave out together with their content. */
  isDropped?: (tag: string) => boolean
  /** Elements as they begin, before their attributes, and as they end; one that is dropped is left out. */
  opened?: (tag: string) => void
  ended?: () => void
  /** The rules of XML: character data sections, names of any letters, no element whose content is only text. */
  isXml?: boolean
}

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'noembed', 'noframes'])
const SPACE = /\s/

export function editTags(html: string, edits: TagEdits): string {
  let out = ''
  let copied = 0
  let at = html.indexOf('<')
  while (at !== -1 && at < html.length) {
    const next = html.charCodeAt(at + 1)
    if (next === 33 /* ! */) {
      at = afterMarker(html, at, endOfDeclaration(html, at, edits.isXml === true))
    } else if (next === 63 /* ? */) {
      at = afterMarker(html, at, edits.isXml ? '?>' : '>')
    } else if (next === 47 /* / */) {
      edits.ended?.()
      at = afterMarker(html, at, '>')
    } else if (
      !isLetter(next) &&
      !(edits.isXml && (next === 95 /* _ */ || next === 58 /* : */ || next > 127))
    ) {
      at += 1
    } else {
      const tag = readTag(html, at, edits.names)
      if (edits.isDropped?.(tag.name)) {
        out += html.slice(copied, at)
        at = tag.isClosed ? tag.end : afterElement(html, tag.end, tag.name)
        copied = at
      } else if (edits.standIn?.tag === tag.name && html.startsWith(`</${tag.name}>`, tag.end)) {
        const attributes = html.slice(at + 1 + tag.name.length, tag.end - 1)
        out += html.slice(copied, at) + edits.standIn.html(attributes)
        at = tag.end + `</${tag.name}>`.length
        copied = at
      } else {
        const start = at
        const source = () => html.slice(start, tag.end)
        edits.opened?.(tag.name)
        for (const attribute of tag.attributes) {
          const raw = html.slice(attribute.valueStart, attribute.valueEnd)
          const edited = edits.attribute(tag.name, attribute.name, decodeEntities(raw), source)
          if (edited === null) continue
          if (edited === false) {
            out += html.slice(copied, attribute.start)
          } else {
            out += `${html.slice(copied, attribute.nameEnd)}="${escapeAttribute(edited)}"`
          }
          copied = attribute.end
        }
        if (tag.isClosed) edits.ended?.()
        at = tag.end
        if (RAW_TEXT.has(tag.name) && !tag.isClosed && !edits.isXml) {
          const end = endTag(html, at, tag.name)
          if (tag.name === 'style' && edits.style) {
            out += html.slice(copied, at) + edits.style(html.slice(at, end))
            copied = end
          }
          at = end
        }
      }
    }
    at = html.indexOf('<', at)
  }
  return copied === 0 ? html : out + html.slice(copied)
}

/** Longer tags hold data, not settings that anybody looks for. */
const MAX_IMAGE_TAG = 5000

/** Every `<img …>` up to its first `>`, exchanged for what `edit` makes of it. */
export function editImages(html: string, edit: (tag: string) => string): string {
  let out = ''
  let copied = 0
  for (let at = html.indexOf('<img'); at !== -1; ) {
    const end = html.indexOf('>', at)
    if (end === -1) break
    // What begins in between is what browsers take for attributes of the first.
    const isTag = !isNamePart(html.charCodeAt(at + 4)) && end - at < MAX_IMAGE_TAG
    if (isTag) {
      out += html.slice(copied, at) + edit(html.slice(at, end + 1))
      copied = end + 1
    }
    at = html.indexOf('<img', isTag || end - at >= MAX_IMAGE_TAG ? end : at + 4)
  }
  return out + html.slice(copied)
}

function isNamePart(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 95
}

export function escapeAttribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

export function escapeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const NAMED: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|quot|apos|lt|gt));/gi,
    (whole, hex, decimal, name) => {
      if (name) return NAMED[name.toLowerCase()] ?? whole
      const code = hex ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

interface TagAttribute {
  name: string
  start: number
  nameEnd: number
  valueStart: number
  valueEnd: number
  end: number
}

/** Reads from `<name` to behind its `>`; lists the attributes of these names, or all. */
function readTag(html: string, at: number, names: TagEdits['names']) {
  const attributes: TagAttribute[] = []
  let i = at + 1
  while (i < html.length && !isNameEnd(html.charCodeAt(i))) i += 1
  const name = html.slice(at + 1, i).toLowerCase()
  let isClosed = false
  while (i < html.length) {
    const code = html.charCodeAt(i)
    if (code === 62 /* > */) return { name, attributes, isClosed, end: i + 1 }
    if (code === 47 /* / */ || isSpace(html.charCodeAt(i))) {
      isClosed = code === 47
      i += 1
      continue
    }
    isClosed = false
    const start = i
    i += 1 // the first character belongs to the name, even `=`
    while (i < html.length && !isNameEnd(html.charCodeAt(i)) && html.charCodeAt(i) !== 61) i += 1
    const nameEnd = i
    while (i < html.length && isSpace(html.charCodeAt(i))) i += 1
    const attribute = html.slice(start, nameEnd).toLowerCase()
    const isListed = names === undefined || names.has(attribute)
    if (html.charCodeAt(i) !== 61 /* = */) {
      const bare = { valueStart: nameEnd, valueEnd: nameEnd, end: nameEnd }
      if (isListed) attributes.push({ name: attribute, start, nameEnd, ...bare })
      continue
    }
    i += 1
    while (i < html.length && isSpace(html.charCodeAt(i))) i += 1
    const quote = html.charAt(i)
    let valueStart = i
    if (quote === '"' || quote === "'") {
      valueStart = i + 1
      const close = html.indexOf(quote, valueStart)
      i = close === -1 ? html.length : close
    } else {
      while (i < html.length && html.charCodeAt(i) !== 62 && !isSpace(html.charCodeAt(i))) i += 1
    }
    const valueEnd = i
    if (i < html.length && (quote === '"' || quote === "'")) i += 1
    if (isListed) attributes.push({ name: attribute, start, nameEnd, valueStart, valueEnd, end: i })
  }
  return { name, attributes, isClosed, end: html.length }
}

/** Nearly all of a text is below 128, where a pattern costs more than all else. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && SPACE.test(String.fromCharCode(code)))
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** White space, `/` or `>`. */
function isNameEnd(code: number): boolean {
  return code === 47 || code === 62 || code === 32 || code === 9 || code === 10 || code === 12 || code === 13
}

function endOfDeclaration(html: string, at: number, isXml: boolean): string {
  if (html.startsWith('<!--', at)) return '-->'
  return isXml && html.startsWith('<![CDATA[', at) ? ']]>' : '>'
}

function afterMarker(html: string, from: number, marker: string): number {
  const found = html.indexOf(marker, from + 2)
  return found === -1 ? html.length : found + marker.length
}

/** Start of the element's end tag, or the end of the text. */
function endTag(html: string, from: number, name: string): number {
  let at = html.indexOf('</', from)
  while (at !== -1) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
    at = html.indexOf('</', at + 2)
  }
  return html.length
}

function afterElement(html: string, from: number, name: string): number {
  const at = endTag(html, from, name)
  return at === html.length ? at : afterMarker(html, at, '>')
}

/** Index behind the `>` that ends the tag that begins at `start`; quoted values may hold one. */
export function endOfTag(html: string, start: number): number {
  let isValue = false
  for (let i = start + 1; i < html.length; i++) {
    const code = html.charCodeAt(i)
    if (code === 62 /* > */) return i + 1
    if (isValue && (code === 34 /* " */ || code === 39) /* ' */) {
      i = html.indexOf(code === 34 ? '"' : "'", i + 1)
      if (i === -1) return html.length
    }
    isValue = code === 61 /* = */
  }
  return html.length
}
