/**
 * Rules for SVG files that the agent brings from elsewhere. As an image an SVG runs nothing, and pages are served
 * with active content disabled; but a file with active content is not a plain drawing, so it is rejected as a whole.
 */
import { isUtf8 } from 'node:buffer'
import { type HtmlElement, type HtmlNode, parseXml } from '../../../render/html/parse-html.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { type Drawing, openDrawing } from './drawing-copies.ts'

const ACTIVE = new Set([
  'script',
  'foreignobject',
  'handler',
  'listener',
  'iframe',
  'embed',
  'object',
  'frame',
  'base',
  'meta',
  'link',
  'audio',
  'video',
])
/** Attributes that reference a URL. */
const REFERENCES = new Set(['href', 'src', 'data', 'action'])
/** A fragment of the same file, or an embedded raster image. */
const LOCAL_REFERENCE = /^(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)/i
/** Attributes that an animation must not target: it could change a reference or an event handler. */
const ANIMATED = /^(?:(?:\w+:)?href|src|on\w+)$/i
const URL_IN_STYLE = /url\(([^)]{0,300})/gi
const IMPORT_IN_STYLE = /@import|expression\(|image-set\(|\\/i
/** Named entities that only browsers resolve, and numeric ones padded with zeros. */
const UNKNOWN_SIGNS = /&(?:#x0[0-9a-f]{6}|#0\d{7}|(?!(?:amp|lt|gt|quot|apos);)[a-z]\w{0,40};)/i
/** Attributes that hold CSS values, and those through which animations set them. */
const STYLED = /^(?:fill|stroke|filter|mask|clip-path|cursor|marker(?:-\w+)?|from|to|by|values)$/
const MAX_PARTS = 100_000
/** Length of the end of a file that must contain the closing tag, in characters; comments may follow it. */
const TAIL = 2000

/** Returns the text of the drawing. Throws ToolRefusal with the reason for a rejection. */
export function readDrawing(bytes: Buffer): string {
  const text = bytes.toString()
  if (!isUtf8(bytes) || text.includes('\0')) refuse('its text is not UTF-8')
  if (text.split('<').length > MAX_PARTS) refuse(`it has more than ${MAX_PARTS} elements and attributes`)
  if (declaresParts(text)) refuse('it declares entities')
  if (UNKNOWN_SIGNS.test(text)) refuse('it uses unusual character references')
  if (/<\?xml-stylesheet/i.test(text)) refuse('it names a style sheet')
  const end = text.trimEnd().slice(-TAIL)
  if (!/<\/(?:\w{1,50}:)?svg\s?>/i.test(end) && !end.endsWith('/>')) refuse('its end is missing')
  const drawing = openDrawing()
  checkElements(text, drawing)
  for (const style of findStyles(text)) {
    checkStyle(style)
    drawing.style(style)
  }
  const tooMuch = drawing.refusal()
  if (tooMuch !== null) refuse(tooMuch)
  return text
}

function checkElements(text: string, drawing: Pick<Drawing, 'open' | 'attribute' | 'close'>): void {
  let elements = 0
  let parts = 0
  const count = () => {
    parts += 1
    if (parts > MAX_PARTS) refuse(`it has more than ${MAX_PARTS} elements and attributes`)
  }
  const check = ({ tag, attributes, children }: HtmlElement) => {
    elements += 1
    count()
    const name = localName(tag)
    if (elements === 1 && name !== 'svg') refuse('its first element is not <svg>')
    if (ACTIVE.has(name))
      refuse(`it has a ${name === 'foreignobject' ? 'foreignObject' : name} element in it`)
    drawing.open(name)
    for (let i = 0; i < attributes.length; i += 2) {
      const [attribute, value] = [(attributes[i] as string).toLowerCase(), attributes[i + 1] ?? '']
      count()
      drawing.attribute(localName(attribute), value)
      checkAttribute(name, attribute, value)
    }
    for (const child of elementsOf(children)) check(child)
    drawing.close()
  }
  for (const element of elementsOf(parseXml(text).children)) check(element)
  if (elements === 0) refuse('it is not an SVG')
}

function elementsOf(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.filter((node) => typeof node === 'object' && 'tag' in node)
}

/** A document type is allowed, but without declarations, which could hide anything. */
function declaresParts(text: string): boolean {
  if (/<!(?:ENTITY|ATTLIST|ELEMENT)\b/i.test(text)) return true
  const at = text.search(/<!DOCTYPE\b/i)
  if (at === -1) return false
  const inside = text.indexOf('[', at)
  const end = text.indexOf('>', at)
  return end === -1 || (inside !== -1 && inside < end)
}

function* findStyles(text: string): Iterable<string> {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf('style'); at !== -1; ) {
    const isTag = /<(?:\w{1,50}:)?$/.test(lower.slice(Math.max(0, at - 52), at))
    const end = isTag ? lower.indexOf('style', lower.indexOf('>', at)) : at
    if (end > at) yield text.slice(at, end)
    if (isTag && end === -1) return yield text.slice(at)
    at = lower.indexOf('style', end + 5)
  }
}

function checkAttribute(tag: string, whole: string, value: string): void {
  const name = localName(whole)
  if (/^on/.test(name)) refuse(`it has an event handler (${name.slice(0, 40)}) in it`)
  if (whole.toLowerCase() === 'xml:base') refuse('it has another address as its base')
  if (name === 'attributename' && ANIMATED.test(value.trim()))
    refuse(`it animates ${value.trim().slice(0, 40)}`)
  if (REFERENCES.has(name) && value.trim() !== '' && !LOCAL_REFERENCE.test(value.trim()))
    refuse(
      `it has an external reference in it (${JSON.stringify(value.trim().slice(0, 80))} of ${tag.slice(0, 40)})`,
    )
  if (STYLED.test(name) && value.includes('\\')) refuse('its styles contain escapes')
  // Namespace names are URLs that nothing fetches.
  if (name !== 'xmlns' && !whole.startsWith('xmlns:')) checkStyle(value, name === 'style')
}

function checkStyle(css: string, isSheet = true): void {
  if (isSheet && IMPORT_IN_STYLE.test(css)) refuse('its styles load something, or contain escapes')
  for (const [, written = ''] of css.matchAll(URL_IN_STYLE)) {
    const target = written.replace(/["']/g, '').trim()
    if (!LOCAL_REFERENCE.test(target))
      refuse(`it has an external reference in its styles (${JSON.stringify(target.slice(0, 80))})`)
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function refuse(why: string): never {
  throw new ToolRefusal(`Not placed: the SVG was refused, because ${why}. Look for another picture.`)
}
