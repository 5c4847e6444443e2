/** Converts HTML tags to MDX. */
import type { Tag, TagAttribute } from './tags.ts'

const ELEMENTS = new Set(
  (
    'a abbr address area article aside audio b bdi bdo blockquote br button canvas caption center cite code col ' +
    'colgroup dd del details dfn div dl dt em embed figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i ' +
    'iframe img input ins kbd label legend li main map mark meter nav object ol optgroup option output p param picture ' +
    'pre progress q rp rt ruby s samp section select small source span strike strong sub summary sup svg path g circle ' +
    'rect line polyline polygon table tbody td textarea tfoot th thead time tr track tt u ul var video wbr'
  ).split(' '),
)
const VOID = new Set('area br col embed hr img input param source track wbr'.split(' '))
/**
 * Elements that contain paragraphs. MDX requires their tags on separate lines if their content has
 * paragraphs.
 */
const BLOCKS = new Set(
  (
    'address article aside blockquote center dd details div dl dt figcaption figure footer form header li main nav ol ' +
    'p section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)

export function isHtmlElement(name: string): boolean {
  return ELEMENTS.has(name.toLowerCase())
}

export function isVoidElement(name: string): boolean {
  return VOID.has(name.toLowerCase())
}

export function isBlockElement(name: string): boolean {
  return BLOCKS.has(name.toLowerCase())
}

/** Writes a tag in the syntax of MDX: values in quotes, void elements closed. */
export function writeHtmlTag(
  tag: Tag,
  isIncluded: (attribute: TagAttribute) => boolean = isPlainAttribute,
): string {
  const name = ELEMENTS.has(tag.name) ? tag.name : tag.name.toLowerCase()
  if (tag.isClosing) return isVoidElement(name) ? '' : `</${name}>`
  const attributes = tag.attributes.filter(isIncluded).map(writeAttribute).join('')
  return `<${name}${attributes}${tag.isSelfClosing || isVoidElement(name) ? ' /' : ''}>`
}

/** Returns false for event handlers and for attributes of template languages. */
export function isPlainAttribute({ name, isExpression }: TagAttribute): boolean {
  return isExpression || (/^[A-Za-z_][\w-]*$/.test(name) && !/^on/i.test(name) && name !== 'markdown')
}

export function writeAttribute({ name, value, isExpression }: TagAttribute): string {
  if (isExpression) return name === '' ? ` {${value}}` : ` ${name}={${value}}`
  const jsxName = name === 'class' ? 'className' : name
  if (value === null) return ` ${jsxName}`
  if (!value.includes('"')) return ` ${jsxName}="${value}"`
  return value.includes("'") ? ` ${jsxName}="${value.replaceAll('"', '&quot;')}"` : ` ${jsxName}='${value}'`
}
