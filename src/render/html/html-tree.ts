/** The HTML of a body as a small tree: enough to say the same in another form. Linear in time, bounded in depth. */
import { decodeEntities, endOfTag } from './html-tags.ts'

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

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
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
  const root: HtmlElement = { tag: '', source: '', children: [], isBlock: true }
  const open: HtmlElement[] = [root]
  // Tags that were opened below the greatest depth.
  const beyond: string[] = []
  const top = () => open[open.length - 1] as HtmlElement
  const addText = (raw: string) => {
    if (raw !== '') top().children.push(decodeEntities(raw))
  }
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    addText(html.slice(at, next === -1 ? html.length : next))
    if (next === -1) break
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next)
      at = end === -1 ? html.length : end + 3
      continue
    }
    const [name] = /^<\/?([a-zA-Z][\w:-]*)/.exec(html.slice(next, next + 64)) ?? []
    if (name === undefined) {
      addText('<')
      at = next + 1
      continue
    }
    at = endOfTag(html, next)
    const source = html.slice(next, at)
    const tag = name.replace(/^<\/?/, '').toLowerCase()
    if (source.startsWith('</')) {
      if (beyond.length > 0) beyond.pop()
      else closeElement(open, tag)
      continue
    }
    const isClosed = VOID.has(tag) || source.endsWith('/>')
    if (DROPPED.has(tag)) {
      if (!isClosed) at = afterElement(html, at, tag)
      continue
    }
    const element: HtmlElement = { tag, source, children: [], isBlock: BLOCKS.has(tag) }
    if (open.length > MOST_DEPTH) {
      top().children.push(' ')
      if (isClosed) top().children.push(element)
      else beyond.push(tag)
      continue
    }
    top().children.push(element)
    if (element.isBlock) for (let i = open.length - 1; i >= 0 && markBlock(open[i]); i--);
    if (!isClosed) open.push(element)
  }
  return root
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

/** Elements of the same name may stand inside. */
function afterElement(html: string, from: number, tag: string): number {
  const marks = new RegExp(`<(/?)${tag}(?=[\\s/>])`, 'gi')
  marks.lastIndex = from
  let depth = 1
  for (let found = marks.exec(html); found; found = marks.exec(html)) {
    depth += found[1] === '/' ? -1 : 1
    if (depth === 0) return endOfTag(html, found.index)
  }
  return html.length
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
