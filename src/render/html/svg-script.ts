/**
 * SVG files of a site without what can run. An SVG shown as an image never runs script; one that is opened at its own
 * address does, on the site's origin. Files in which nothing can run keep their bytes.
 */
import { escapeHtml } from './html.ts'
import { type HtmlElement, type HtmlNode, parseXml } from './parse-html.ts'

const SUSPICIOUS =
  /<(?:[^\s<>"'=/]+:)?(?:script|handler|listener|iframe|embed|object|frame|base|meta)\b|[\s"'/]on\w+\s*=|(?:java|vb)script:|data:(?:text|application)|<!ENTITY|<!ATTLIST|<\?xml-stylesheet/i
/** In addresses these hide a scheme from whoever looks for its name. */
const REFERENCE = /&(?:#|\w+;)/
const ACTIVE_TAGS = new Set([
  'script',
  'handler',
  'listener',
  'iframe',
  'embed',
  'object',
  'frame',
  'base',
  'meta',
])
const SCRIPT_URL = /^(?:javascript|vbscript|data:text|data:application)/i
/** Drawing programs name their namespaces by entities; more than that is an attempt to make a small file huge. */
const ENTITY_CHARACTERS = 200
const ENTITY_USES = 1_000
/** Sticky: a document has one. */
const DOCTYPE = /<!DOCTYPE\b[^[>]*(?:\[([\s\S]*?)\]\s*)?>/iy
const SHEET = '<?xml-stylesheet'
const SPACE_AND_CONTROL = /[\u0000-\u0020\u007f-\u00a0]/g

export function withoutScript(svg: string): string {
  if (!SUSPICIOUS.test(svg) && !REFERENCE.test(svg)) return svg
  // A style sheet named by the document may turn it into any other one, with script in it.
  const plain = withoutSheets(expandEntities(svg))
  return parseXml(plain).children.map(passive).join('')
}

/** The text of a node without what can run. */
function passive(node: HtmlNode): string {
  if (typeof node === 'string') return escapeHtml(node)
  if ('raw' in node) return node.raw
  const { tag, children, end } = node
  if (ACTIVE_TAGS.has(localName(tag))) return ''
  const start = `<${tag}${passiveAttributes(node)}`
  if (end === 'self') return `${start}/>`
  return `${start}>${children.map(passive).join('')}${end === 'tag' ? `</${tag}>` : ''}`
}

function passiveAttributes({ attributes }: HtmlElement): string {
  let text = ''
  for (let i = 0; i < attributes.length; i += 2) {
    const name = attributes[i] as string
    const value = attributes[i + 1] ?? ''
    const runs = value.split(';').some((part) => SCRIPT_URL.test(part.replace(SPACE_AND_CONTROL, '')))
    if (!runs && !/^on/.test(localName(name))) text += ` ${name}="${escapeHtml(value)}"`
  }
  return text
}

function withoutSheets(svg: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = svg.indexOf(SHEET); at !== -1; at = svg.indexOf(SHEET, kept)) {
    const end = svg.indexOf('?>', at)
    if (end === -1) break
    parts.push(svg.slice(kept, at))
    kept = end + 2
  }
  return parts.join('') + svg.slice(kept)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

/** Entities of the document type are put in place, and the document type goes: what it hides is then seen. */
function expandEntities(svg: string): string {
  DOCTYPE.lastIndex = Math.max(0, svg.search(/<!DOCTYPE\b/i))
  const doctype = DOCTYPE.exec(svg)
  if (!doctype) return svg
  const entities = new Map<string, string>()
  for (const [, name, double, single] of (doctype[1] ?? '').matchAll(
    /<!ENTITY\s+([\w.-]+)\s+(?:"([^"\n]*)"|'([^'\n]*)')\s*>/g,
  )) {
    const value = double ?? single ?? ''
    // Values that hold markup or other entities are attacks, or nothing that an image needs.
    entities.set(name as string, /[<&]/.test(value) || value.length > ENTITY_CHARACTERS ? '' : value)
  }
  let left = ENTITY_USES
  const bare = svg.slice(0, doctype.index) + svg.slice(doctype.index + doctype[0].length)
  return bare.replace(/&([\w.-]+);/g, (whole, name) => {
    const value = entities.get(name)
    return value === undefined ? whole : left-- > 0 ? value : ''
  })
}
