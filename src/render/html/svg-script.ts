/**
 * Removes executable content from SVG files. SVG images cannot run scripts, but SVG files opened at their URL
 * can, with the origin of the site. Files without executable content are unchanged.
 */
import { escapeHtml } from './html.ts'
import { type HtmlElement, type HtmlNode, parseXml } from './parse-html.ts'

const SUSPICIOUS_CONTENT =
  /<(?:[^\s<>"'=/]+:)?(?:script|handler|listener|iframe|embed|object|frame|base|meta)\b|[\s"'/]on\w+\s*=|(?:java|vb)script:|data:(?:text|application)|<!ENTITY|<!ATTLIST|<\?xml-stylesheet/i
/** Matches character references, which may hide the scheme of a URL. */
const CHARACTER_REFERENCE = /&(?:#|\w+;)/
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
/**
 * Maximum length of an entity. Drawing programs use short ones for namespaces; longer ones could expand to a
 * huge file.
 */
const MAX_ENTITY_CHARACTERS = 200
const MAX_ENTITY_USES = 1_000
/** Sticky, because a document has at most one document type. */
const DOCTYPE = /<!DOCTYPE\b[^[>]*(?:\[([\s\S]*?)\]\s*)?>/iy
const STYLESHEET_INSTRUCTION = '<?xml-stylesheet'
const SPACE_AND_CONTROL = /[\u0000-\u0020\u007f-\u00a0]/g

export function removeScript(svg: string): string {
  if (!SUSPICIOUS_CONTENT.test(svg) && !CHARACTER_REFERENCE.test(svg)) return svg
  // XSLT style sheets can transform the document into one with scripts.
  const plain = removeStyleSheets(expandEntities(svg))
  return parseXml(plain).children.map(removeActiveContent).join('')
}

/** Serializes a node without executable content. */
function removeActiveContent(node: HtmlNode): string {
  if (typeof node === 'string') return escapeHtml(node)
  if ('raw' in node) return node.raw
  const { tag, children, end } = node
  if (ACTIVE_TAGS.has(localName(tag))) return ''
  const start = `<${tag}${filterAttributes(node)}`
  if (end === 'self') return `${start}/>`
  return `${start}>${children.map(removeActiveContent).join('')}${end === 'tag' ? `</${tag}>` : ''}`
}

function filterAttributes({ attributes }: HtmlElement): string {
  let text = ''
  for (let i = 0; i < attributes.length; i += 2) {
    const name = attributes[i] as string
    const value = attributes[i + 1] ?? ''
    const runs = value.split(';').some((part) => SCRIPT_URL.test(part.replace(SPACE_AND_CONTROL, '')))
    if (!runs && !/^on/.test(localName(name))) text += ` ${name}="${escapeHtml(value)}"`
  }
  return text
}

function removeStyleSheets(svg: string): string {
  const parts: string[] = []
  let copiedUntil = 0
  for (
    let at = svg.indexOf(STYLESHEET_INSTRUCTION);
    at !== -1;
    at = svg.indexOf(STYLESHEET_INSTRUCTION, copiedUntil)
  ) {
    const end = svg.indexOf('?>', at)
    if (end === -1) break
    parts.push(svg.slice(copiedUntil, at))
    copiedUntil = end + 2
  }
  return parts.join('') + svg.slice(copiedUntil)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

/** Expands entities and removes the document type, which could contain hidden content. */
function expandEntities(svg: string): string {
  DOCTYPE.lastIndex = Math.max(0, svg.search(/<!DOCTYPE\b/i))
  const doctype = DOCTYPE.exec(svg)
  if (!doctype) return svg
  const entities = new Map<string, string>()
  for (const [, name, double, single] of (doctype[1] ?? '').matchAll(
    /<!ENTITY\s+([\w.-]+)\s+(?:"([^"\n]*)"|'([^'\n]*)')\s*>/g,
  )) {
    const value = double ?? single ?? ''
    // Drops entities with markup or other entities, because images do not require them and they may be attacks.
    entities.set(name as string, /[<&]/.test(value) || value.length > MAX_ENTITY_CHARACTERS ? '' : value)
  }
  let remainingUses = MAX_ENTITY_USES
  const bare = svg.slice(0, doctype.index) + svg.slice(doctype.index + doctype[0].length)
  return bare.replace(/&([\w.-]+);/g, (whole, name) => {
    const value = entities.get(name)
    return value === undefined ? whole : remainingUses-- > 0 ? value : ''
  })
}
