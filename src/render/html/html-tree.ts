/** Reduces HTML to a tree with only the text of a page, for writing it in other formats. */
import { attributeValue } from './addresses.ts'
import type { HtmlElement, HtmlNode } from './parse-html.ts'

export type TextNode = TextElement | string

export interface TextElement extends Pick<HtmlElement, 'tag' | 'attributes'> {
  children: TextNode[]
  /** Whether the element is a block or contains one. */
  isBlock: boolean
}

const TEXTLESS_TAGS = new Set(['script', 'style', 'svg', 'noscript', 'template'])
const BLOCKS = new Set(
  (
    'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr iframe li main nav o-side ol p pre section summary table tbody td tfoot ' +
    'th thead tr ul video audio'
  ).split(' '),
)

/** Classes of controls in components, whose labels are not content. Buttons of authors are content. */
export const CONTROLS: ReadonlySet<string> = new Set([
  'heading-anchor',
  'code-block-copy-button',
  'code-block-expand',
  'prompt-copy',
  'prompt-open',
  'expandable-show',
  'expandable-hide',
  'api-count',
])

const NONE: readonly string[] = []
/** Cached class lists by attribute value, because pages use only a few. Cleared when full. */
const CLASSES = new Map<string, readonly string[]>()
const MAX_CACHED_CLASSES = 1000

/** `isDropped` selects elements to omit with their content. */
export function createTextTree(
  root: HtmlElement,
  isDropped: (tag: string) => boolean = () => false,
): TextElement {
  const { tag, attributes } = root
  let isBlock = tag === '' || BLOCKS.has(tag)
  if (isSingleText(root.children)) return { tag, attributes, children: root.children, isBlock }
  const children: TextNode[] = []
  for (let i = 0; i < root.children.length; i++) {
    const textNode = createTextNode(root.children[i] as HtmlNode, isDropped)
    if (textNode === null) continue
    if (typeof textNode !== 'string') isBlock ||= textNode.isBlock
    children.push(textNode)
  }
  return { tag, attributes, children, isBlock }
}

/** Returns whether the list is a single text, as for most elements. Such a list can be used unchanged. */
function isSingleText(children: HtmlNode[]): children is string[] {
  return children.length === 1 && typeof children[0] === 'string'
}

function createTextNode(node: HtmlNode, isDropped: (tag: string) => boolean): TextNode | null {
  if (typeof node === 'string') return node
  if ('raw' in node || TEXTLESS_TAGS.has(node.tag) || isDropped(node.tag)) return null
  return createTextTree(node, isDropped)
}

/** Returns an empty string for an attribute without a value, and null if the attribute is missing. */
export function getAttribute(element: Pick<HtmlElement, 'attributes'>, name: string): string | null {
  return attributeValue(element.attributes, name)
}

export function listClasses(element: Pick<HtmlElement, 'attributes'>): readonly string[] {
  const classes = attributeValue(element.attributes, 'class')
  if (classes === null) return NONE
  const cached = CLASSES.get(classes)
  if (cached) return cached
  if (CLASSES.size >= MAX_CACHED_CLASSES) CLASSES.clear()
  const names = classes.split(/\s+/)
  CLASSES.set(classes, names)
  return names
}

export function hasClass(element: Pick<HtmlElement, 'attributes'>, name: string): boolean {
  return listClasses(element).includes(name)
}

export function rawText(node: TextNode): string {
  if (typeof node === 'string') return node
  return node.tag === 'br' ? '\n' : node.children.map(rawText).join('')
}

export function findElement(
  element: TextElement,
  test: (candidate: TextElement) => boolean,
): TextElement | null {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (test(child)) return child
    const inner = findElement(child, test)
    if (inner) return inner
  }
  return null
}
