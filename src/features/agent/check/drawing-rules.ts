/**
 * Rules for SVG files that the agent copies from other sites and repositories. An SVG shown as an image runs no
 * scripts, and pages are served with active content disabled. Files with active content are nevertheless rejected as a
 * whole, because they are not plain drawings.
 */
import { isUtf8 } from 'node:buffer'
import { decodePath } from '../../../base/text/decode-path.ts'
import { type HtmlElement, type HtmlNode, parseXml } from '../../../render/html/parse-html.ts'
import { ToolRefusal } from '../loop/tool.ts'

const ACTIVE_ELEMENTS = new Set([
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
const REFERENCES = new Set(['href', 'src', 'data', 'action'])
/** A fragment of the same file, or an embedded raster image. */
const LOCAL_REFERENCE = /^(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)/i
/** Attributes that an animation must not target: it could change a reference or an event handler. */
const UNANIMATABLE_ATTRIBUTES = /^(?:(?:\w+:)?href|src|on\w+)$/i
const URL_IN_STYLE = /url\(([^)]{0,300})/gi
const IMPORT_IN_STYLE = /@import|expression\(|image-set\(|\\/i
/** Named entities that only browsers resolve, and numeric entities padded with zeros. */
const UNSUPPORTED_ENTITIES = /&(?:#x0[0-9a-f]{6}|#0\d{7}|(?!(?:amp|lt|gt|quot|apos);)[a-z]\w{0,40};)/i
/** Attributes that contain CSS values, and attributes with which animations set such values. */
const STYLED = /^(?:fill|stroke|filter|mask|clip-path|cursor|marker(?:-\w+)?|from|to|by|values)$/
const MAX_PARTS = 100_000
/** Length of the end of a file that must contain the closing tag, in characters; comments may follow it. */
const TAIL = 2000

/** Returns the text of the drawing. Throws ToolRefusal with the reason for a rejection. */
export function readSafeSvg(bytes: Buffer): string {
  const text = bytes.toString()
  if (!isUtf8(bytes) || text.includes('\0')) refuse('its text is not UTF-8')
  if (text.split('<').length > MAX_PARTS) refuse(`it has more than ${MAX_PARTS} elements and attributes`)
  if (hasDeclarations(text)) refuse('it declares entities')
  if (UNSUPPORTED_ENTITIES.test(text)) refuse('it uses unusual character references')
  if (/<\?xml-stylesheet/i.test(text)) refuse('it references a style sheet')
  const end = text.trimEnd().slice(-TAIL)
  if (!/<\/(?:\w{1,50}:)?svg\s?>/i.test(end) && !end.endsWith('/>')) refuse('it is incomplete')
  const elements = elementsOf(parseXml(text).children)
  checkElements(elements)
  const styles = [...findStyles(text)]
  for (const style of styles) checkStyle(style)
  checkDrawnElementCount(elements, styles)
  return text
}

function checkElements(roots: readonly HtmlElement[]): void {
  let parts = 0
  const count = () => {
    parts += 1
    if (parts > MAX_PARTS) refuse(`it has more than ${MAX_PARTS} elements and attributes`)
  }
  const check = ({ tag, attributes, children }: HtmlElement) => {
    count()
    const name = localName(tag)
    if (ACTIVE_ELEMENTS.has(name))
      refuse(`it contains the element ${name === 'foreignobject' ? 'foreignObject' : name}`)
    for (let i = 0; i < attributes.length; i += 2) {
      count()
      checkAttribute(name, (attributes[i] as string).toLowerCase(), attributes[i + 1] ?? '')
    }
    for (const child of elementsOf(children)) check(child)
  }
  const [first] = roots
  if (first === undefined) refuse('it is not an SVG')
  if (localName(first.tag) !== 'svg') refuse('its root element is not <svg>')
  for (const element of roots) check(element)
}

function elementsOf(nodes: readonly HtmlNode[]): HtmlElement[] {
  return nodes.filter((node) => typeof node === 'object' && 'tag' in node)
}

/** Returns whether the text has declarations, which could hide anything. A DOCTYPE without them is allowed. */
function hasDeclarations(text: string): boolean {
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
  if (/^on/.test(name)) refuse(`it contains an event handler (${name.slice(0, 40)})`)
  if (whole.toLowerCase() === 'xml:base') refuse('it sets another base URL')
  if (name === 'attributename' && UNANIMATABLE_ATTRIBUTES.test(value.trim()))
    refuse(`it animates ${value.trim().slice(0, 40)}`)
  if (REFERENCES.has(name) && value.trim() !== '' && !LOCAL_REFERENCE.test(value.trim()))
    refuse(
      `it contains an external reference (${JSON.stringify(value.trim().slice(0, 80))} in ${tag.slice(0, 40)})`,
    )
  if (STYLED.test(name) && value.includes('\\')) refuse('its styles contain escapes')
  // Namespace names are URLs that nothing fetches.
  if (name !== 'xmlns' && !whole.startsWith('xmlns:')) checkStyle(value, name === 'style')
}

function checkStyle(css: string, isSheet = true): void {
  if (isSheet && IMPORT_IN_STYLE.test(css)) refuse('its styles load files, or contain escapes')
  for (const [, written = ''] of css.matchAll(URL_IN_STYLE)) {
    const target = written.replace(/["']/g, '').trim()
    if (!LOCAL_REFERENCE.test(target))
      refuse(`its styles contain an external reference (${JSON.stringify(target.slice(0, 80))})`)
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

function refuse(why: string): never {
  throw new ToolRefusal(`Not added: the SVG was rejected because ${why}. Use a different picture.`)
}

// Estimates how much a browser draws: a few nested references expand to any number of copies, and a kilobyte of them
// keeps a browser busy for days.

/** Maximum number of elements drawn after all references are expanded: about one second in a browser. */
const MAX_DRAWN_ELEMENTS = 500_000
/** Maximum nesting of elements and of references. */
const MAX_DEPTH = 500
/** Elements whose references only link to or animate their target, instead of drawing it again. */
const LINKING_ELEMENTS = /^(?:a|animate|animatecolor|animatemotion|animatetransform|discard|set)$/
const GRADIENT_OR_STEP = /^(?:stop|fe(?!image$).*)$/
const FRAGMENT_URL = /url\(\s*["']?#([^)"']*)/gi

function checkDrawnElementCount(roots: readonly HtmlElement[], styles: readonly string[]): void {
  const byId = new Map<string, HtmlElement>()
  const collect = (element: HtmlElement) => {
    // If several elements have the same id, browsers use the first.
    for (const [name, value] of attributesOf(element))
      if (name === 'id' && !byId.has(value)) byId.set(value, element)
    for (const child of elementsOf(element.children)) collect(child)
  }
  for (const root of roots) collect(root)
  const known = new Map<HtmlElement, number>()
  const open = new Set<HtmlElement>()
  const drawnOf = (element: HtmlElement): number => {
    const seen = known.get(element)
    if (seen !== undefined) return seen
    if (open.has(element)) refuse('it references itself')
    if (open.size > MAX_DEPTH) refuse(`it is nested more than ${MAX_DEPTH} levels deep`)
    open.add(element)
    const copies = referencesOf(element).flatMap((id) => byId.get(id) ?? [])
    let drawn = GRADIENT_OR_STEP.test(localName(element.tag)) ? 0 : 1
    for (const part of [...elementsOf(element.children), ...copies]) drawn += drawnOf(part)
    open.delete(element)
    known.set(element, drawn)
    return drawn
  }
  let drawn = roots.reduce((sum, root) => sum + drawnOf(root), 1)
  for (const id of new Set(styles.flatMap(parseFragmentIds))) {
    const target = byId.get(id)
    // Assumes that a style applies to every element, because its selectors are not evaluated.
    if (target !== undefined) drawn *= Math.max(1, drawnOf(target) - 1)
  }
  if (drawn > MAX_DRAWN_ELEMENTS) refuse(`its references expand to more than ${MAX_DRAWN_ELEMENTS} elements`)
}

function referencesOf(element: HtmlElement): string[] {
  const isPointer = LINKING_ELEMENTS.test(localName(element.tag))
  return attributesOf(element).flatMap(([name, value]) => {
    const target = value.trim()
    const isReference = name === 'href' && target.startsWith('#') && !isPointer
    return [...(isReference ? [decodePath(target.slice(1).trim())] : []), ...parseFragmentIds(value)]
  })
}

function attributesOf({ attributes }: HtmlElement): [name: string, value: string][] {
  return Array.from({ length: attributes.length / 2 }, (_, index) => [
    localName(attributes[2 * index] ?? ''),
    attributes[2 * index + 1] ?? '',
  ])
}

function parseFragmentIds(value: string): string[] {
  return [...value.matchAll(FRAGMENT_URL)].map(([, id = '']) => decodePath(id.trim()))
}
