/** The HTML of a body as a small tree: enough to say the same in another form. Linear in time, bounded in depth. */
import { type HtmlReader, type HtmlTag, OpenElement, scanHtml } from './html-scan.ts'
import { decodeEntities } from './html-tags.ts'

export type HtmlNode = HtmlElement | string

export interface HtmlElement {
  /** Lower case; empty for the root. */
  tag: string
  /** The start tag as it is written. */
  source: string
  children: HtmlNode[]
  /** It is a block, or has one inside. */
  isBlock: boolean
}

/** What lies deeper is put into the element at this depth: no honest page comes near. */
const MOST_DEPTH = 200

/** Elements whose content is no text of the page. */
const DROPPED = new Set(['script', 'style', 'svg', 'noscript', 'template', 'o-humans'])
const BLOCKS = new Set(
  (
    'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr iframe li main nav o-side ol p pre section summary table tbody td tfoot ' +
    'th thead tr ul video audio'
  ).split(' '),
)

export function parseHtml(html: string): HtmlElement {
  const builder = new TreeBuilder()
  scanHtml(html, builder)
  return builder.root
}

export class TreeBuilder implements HtmlReader {
  readonly root: HtmlElement = { tag: '', source: '', children: [], isBlock: true }
  readonly #open: HtmlElement[] = [this.root]
  /** Tags that were opened below the greatest depth. */
  #beyond = 0
  #dropped: OpenElement | null = null

  text(raw: string): void {
    this.words(decodeEntities(raw))
  }

  /** Text without entities. */
  words(text: string): void {
    if (this.#dropped === null) this.#top.children.push(text)
  }

  tag(tag: HtmlTag): void {
    if (this.#dropped !== null) {
      if (this.#dropped.isEndedBy(tag)) this.#dropped = null
    } else if (tag.kind === 'end') {
      if (this.#beyond > 0) this.#beyond -= 1
      else closeElement(this.#open, tag.name)
    } else if (DROPPED.has(tag.name)) {
      if (tag.kind === 'start') this.#dropped = new OpenElement(tag.name)
    } else this.#add(tag)
  }

  get #top(): HtmlElement {
    return this.#open.at(-1) as HtmlElement
  }

  #add({ name, source, kind }: HtmlTag): void {
    const element: HtmlElement = { tag: name, source, children: [], isBlock: BLOCKS.has(name) }
    const { children } = this.#top
    if (this.#open.length > MOST_DEPTH) {
      children.push(' ')
      if (kind === 'whole') children.push(element)
      else this.#beyond += 1
      return
    }
    children.push(element)
    if (element.isBlock) for (let i = this.#open.length - 1; i >= 0 && markBlock(this.#open[i]); i--);
    if (kind === 'start') this.#open.push(element)
  }
}

/** False when it was known: then all around it know it too. */
function markBlock(element: HtmlElement | undefined): boolean {
  if (!element || element.isBlock) return false
  element.isBlock = true
  return true
}

/** An end tag without its start is nothing; one that passes over others closes them too. */
function closeElement(open: HtmlElement[], tag: string): void {
  for (let i = open.length - 1; i > 0; i--) {
    if (open[i]?.tag !== tag) continue
    open.length = i
    return
  }
}

const PATTERNS = new Map<string, RegExp>()

/** Decoded; `''` for an attribute without a value, null when it is not there. */
export function attributeOf(element: HtmlElement, name: string): string | null {
  if (!element.source.includes(name)) return null
  let pattern = PATTERNS.get(name)
  if (!pattern) {
    pattern = new RegExp(`\\s${name}(?:=(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))|(?=[\\s/>]))`, 'i')
    PATTERNS.set(name, pattern)
  }
  const found = pattern.exec(element.source)
  return found && decodeEntities(found[1] ?? found[2] ?? found[3] ?? '')
}

export function hasClass(element: HtmlElement, name: string): boolean {
  if (!element.source.includes(name)) return false
  return (attributeOf(element, 'class') ?? '').split(/\s+/).includes(name)
}

/** The text as it is, line breaks and spaces too. */
export function rawText(node: HtmlNode): string {
  if (typeof node === 'string') return node
  return node.tag === 'br' ? '\n' : node.children.map(rawText).join('')
}

/** First element below that `test` takes, in document order. */
export function findElement(
  element: HtmlElement,
  test: (candidate: HtmlElement) => boolean,
): HtmlElement | null {
  for (const child of element.children) {
    if (typeof child === 'string') continue
    if (test(child)) return child
    const inner = findElement(child, test)
    if (inner) return inner
  }
  return null
}
