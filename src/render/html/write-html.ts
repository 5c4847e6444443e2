/** Writes an HTML tree as markup. */
import { attributeValue, createAttributesPiece } from './addresses.ts'
import { escapeText } from './html.ts'
import {
  type Attributes,
  type IconPlaceholder,
  type Markup,
  MarkupWriter,
  type Placeholder,
} from './markup.ts'
import { type HtmlElement, type HtmlNode, parseHtml } from './parse-html.ts'
import { readPicture } from './picture.ts'

/** Parses HTML of an author, with placeholders for URLs. */
export function readMarkup(text: string): Markup {
  const writer = new MarkupWriter()
  writeNodes(parseHtml(text).children, writer)
  return writer.end()
}

function writeNodes(nodes: readonly HtmlNode[], writer: MarkupWriter): void {
  for (const node of nodes) {
    if (typeof node === 'string') writer.raw(escapeText(node))
    else if ('raw' in node) writer.raw(node.raw)
    else if (!writeLeaf(node, writer)) {
      writeStart(node, node.attributes, writer)
      writeNodes(node.children, writer)
      writeEnd(node, writer)
    }
  }
}

/** Writes icons, and style sheets with URLs. Returns false for other elements. */
export function writeLeaf(element: HtmlElement, writer: MarkupWriter): boolean {
  if (element.tag === 'o-icon') {
    writer.placeholder({ kind: 'icon', ...readIcon(element.attributes) })
    return true
  }
  const css = element.tag === 'style' ? readStyleSheet(element) : null
  if (css === null) return false
  writeStart(element, element.attributes, writer)
  writer.placeholder({ kind: 'css', css })
  writeEnd(element, writer)
  return true
}

/** Returns the text of a `<style>` element if it may contain URLs. */
export function readStyleSheet({ children }: HtmlElement): string | null {
  const css = children
    .map((child) => (typeof child === 'string' ? child : 'raw' in child ? child.raw : ''))
    .join('')
  return css.includes('url(') || css.includes('@import') ? css : null
}

/** Writes a start tag. `slot` is inserted before the attributes. */
export function writeStart(
  { tag, end }: HtmlElement,
  attributes: Attributes,
  writer: MarkupWriter,
  slot: Placeholder | null = null,
): void {
  writer.raw(`<${tag}`)
  if (slot) writer.placeholder(slot)
  const picture = tag === 'img' ? readPicture(attributes) : null
  if (picture !== null) writer.placeholder({ kind: 'picture', picture, attributes })
  else writer.piece(createAttributesPiece(tag, attributes))
  writer.raw(end === 'self' ? '/>' : '>')
}

export function writeEnd({ tag, end }: HtmlElement, writer: MarkupWriter): void {
  if (end === 'tag') writer.raw(`</${tag}>`)
}

const DEFAULT_ICON_SIZE = 16
const MAX_SIZE = 512

/**
 * Parses `<o-icon data-l="library" data-n="name" data-s="style" data-z="size" …>`, see icons/icon-element.ts.
 */
function readIcon(attributes: Attributes): IconPlaceholder {
  const size = Number(attributeValue(attributes, 'data-z') ?? DEFAULT_ICON_SIZE)
  const rest: (string | null)[] = []
  for (let i = 0; i < attributes.length; i += 2)
    if (!/^data-[lnsz]$/.test(attributes[i] as string))
      rest.push(attributes[i] as string, attributes[i + 1] as string | null)
  return {
    library: attributeValue(attributes, 'data-l') ?? 'fontawesome',
    name: attributeValue(attributes, 'data-n') ?? '',
    style: attributeValue(attributes, 'data-s'),
    size: size > 0 && size <= MAX_SIZE ? size : DEFAULT_ICON_SIZE,
    attributes: rest,
  }
}
