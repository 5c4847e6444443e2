/**
 * Parses HTML or SVG to a tree that serializes to equivalent HTML. Does not add missing tags, and preserves
 * superfluous ones. Runs in linear time with limited depth.
 */
import { type QuoteType, Tokenizer } from 'htmlparser2'
import { attributeValue } from './addresses.ts'
import type { Attributes } from './markup.ts'

const TAGS = table(
  'altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix ' +
    'feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow ' +
    'feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset ' +
    'fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient ' +
    'radialGradient textPath',
)

const ATTRIBUTES = table(
  'attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits definitionURL diffuseConstant edgeMode ' +
    'filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes ' +
    'lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves ' +
    'pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha ' +
    'preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures ' +
    'specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage ' +
    'tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan',
)

/** Decoded text, element, or unchanged source (`raw`): comments, scripts, end tags without a start. */
export type HtmlNode = string | HtmlElement | { raw: string }

export interface HtmlElement {
  /** Normalized like in browsers, or as written in XML. Empty for the root. */
  tag: string
  attributes: Attributes
  children: HtmlNode[]
  /** `tag`: closed by an end tag. `self`: by `/>`. `none`: void or never closed. */
  end: 'tag' | 'self' | 'none'
}

/** Maximum depth. Deeper elements are added at this depth. */
const MAX_DEPTH = 200
/** Higher for XML, because programs that create drawings nest more deeply. */
const MAX_XML_DEPTH = 600
/** Length of an attribute list above which a set is used for searches. */
const MIN_ATTRIBUTES_FOR_SET = 40
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose content is text up to their end tag. */
const RAW_TEXT_ELEMENTS = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes'])
const FOREIGN = new Set(['svg', 'math'])
/** SVG and MathML elements that contain HTML. */
const HTML_CONTAINING_TAGS = new Set('foreignObject desc title mi mo mn ms mtext annotation-xml'.split(' '))

export function parseHtml(text: string): HtmlElement {
  return parse(text, false)
}

/** Parses XML: names as written, no void elements and no raw text elements. */
export function parseXml(text: string): HtmlElement {
  return parse(text, true)
}

function parse(text: string, isXml: boolean): HtmlElement {
  const builder = new TreeBuilder(text, isXml)
  const tokenizer = new Tokenizer({ xmlMode: isXml, decodeEntities: true }, builder)
  tokenizer.write(text)
  tokenizer.end()
  return builder.root
}

interface OpenElement {
  element: HtmlElement
  isForeign: boolean
}

type TokenReader = ConstructorParameters<typeof Tokenizer>[1]

class TreeBuilder implements TokenReader {
  readonly root: HtmlElement = { tag: '', attributes: [], children: [], end: 'none' }
  readonly #source: string
  readonly #isXml: boolean
  readonly #mostDepth: number
  readonly #open: OpenElement[] = [{ element: this.root, isForeign: false }]
  /** Number of open tags beyond the maximum depth. */
  #beyond = 0
  #text = ''
  #tag = ''
  #attributes: (string | null)[] = []
  /** Attribute names of the current tag, if there are many, to avoid linear searches. */
  #names: Set<string | null> | null = null
  #name = ''
  #value = ''

  constructor(source: string, isXml: boolean) {
    this.#source = source
    this.#isXml = isXml
    this.#mostDepth = isXml ? MAX_XML_DEPTH : MAX_DEPTH
  }

  isInForeignContext(): boolean {
    return this.#top.isForeign
  }

  ontext(start: number, end: number): void {
    this.#text += this.#source.slice(start, end)
  }

  ontextentity(codePoint: number): void {
    this.#text += String.fromCodePoint(codePoint)
  }

  /** Adds CDATA, which is text in XML, SVG and MathML, and a comment in HTML. */
  oncdata(start: number, end: number, endOffset: number): void {
    const text = this.#source.slice(start, end - endOffset)
    if (this.#isXml || this.#top.isForeign) this.#text += text
    else this.#add({ raw: `<!--[CDATA[${text}]]-->` })
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.#add({ raw: `<!--${this.#source.slice(start, end - endOffset)}-->` })
  }

  ondeclaration(start: number, end: number): void {
    if (this.#isXml) this.#add({ raw: `<!${this.#source.slice(start, end)}>` })
  }

  onprocessinginstruction(start: number, end: number): void {
    if (this.#isXml) this.#add({ raw: `<?${this.#source.slice(start, end)}?>` })
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#nameAt(start, end)
    this.#attributes = []
    this.#names = null
  }

  onattribname(start: number, end: number): void {
    const name = this.#source.slice(start, end)
    const isForeign = this.#top.isForeign || FOREIGN.has(this.#tag)
    this.#name = this.#isXml ? name : isForeign ? foreignAttribute(name) : name.toLowerCase()
    this.#value = ''
  }

  onattribdata(start: number, end: number): void {
    this.#value += this.#source.slice(start, end)
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint)
  }

  /** Ignores duplicate attributes, because browsers use the first one. */
  onattribend(quote: QuoteType): void {
    if (this.#isThere(this.#name)) return
    this.#attributes.push(this.#name, quote === 0 ? null : this.#value)
  }

  onopentagend(): void {
    this.#opened(VOID.has(this.#tag) && !this.#isXml && !this.#top.isForeign)
  }

  onselfclosingtag(): void {
    const isEmpty = this.#isXml || this.#top.isForeign || FOREIGN.has(this.#tag)
    if (isEmpty) this.#add(this.#createHtmlElement('self'))
    else this.onopentagend()
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#nameAt(start, end)
    this.#flush()
    if (this.#beyond > 0) {
      this.#beyond -= 1
      this.#add({ raw: `</${tag}>` })
      return
    }
    for (let i = this.#open.length - 1; i > 0; i--) {
      const { element } = this.#open[i] as OpenElement
      if (element.tag !== tag && !this.#isClosedBy(element, tag)) continue
      element.end = 'tag'
      this.#open.length = i
      return
    }
    this.#add({ raw: `</${tag}>` })
  }

  onend(): void {
    this.#flush()
  }

  #isThere(name: string): boolean {
    if (this.#attributes.length < MIN_ATTRIBUTES_FOR_SET)
      return attributeValue(this.#attributes, name) !== null
    this.#names ??= new Set(this.#attributes.filter((_, i) => i % 2 === 0))
    const { size } = this.#names
    return this.#names.add(name).size === size
  }

  get #top(): OpenElement {
    return this.#open.at(-1) as OpenElement
  }

  #nameAt(start: number, end: number): string {
    const name = this.#source.slice(start, end)
    return this.#isXml ? name : this.#top.isForeign ? foreignTag(name) : name.toLowerCase()
  }

  #createHtmlElement(end: HtmlElement['end']): HtmlElement {
    return { tag: this.#tag, attributes: this.#attributes, children: [], end }
  }

  #opened(isVoid: boolean): void {
    const element = this.#createHtmlElement('none')
    this.#add(element)
    if (isVoid) return
    if (this.#open.length > this.#mostDepth) this.#beyond += 1
    else this.#open.push({ element, isForeign: this.#isForeignIn(element.tag) })
  }

  /** Matches tags of an SVG or MathML element case-insensitively if the element contains HTML. */
  #isClosedBy({ tag }: HtmlElement, name: string): boolean {
    return !this.#isXml && HTML_CONTAINING_TAGS.has(tag) && tag.toLowerCase() === name
  }

  #isForeignIn(tag: string): boolean {
    if (FOREIGN.has(tag)) return true
    return this.#top.isForeign && !HTML_CONTAINING_TAGS.has(tag)
  }

  #add(node: HtmlNode): void {
    this.#flush()
    this.#top.element.children.push(node)
  }

  #flush(): void {
    if (this.#text === '') return
    const { element, isForeign } = this.#top
    const isRaw = RAW_TEXT_ELEMENTS.has(element.tag) && !isForeign && !this.#isXml
    element.children.push(isRaw ? { raw: this.#text } : this.#text)
    this.#text = ''
  }
}

/**
 * Returns the name of an SVG or MathML element with the case that browsers use. HTML standard, 13.2.6.1
 * ("adjust SVG attributes", "adjust MathML attributes") and 13.2.6.5 (SVG tag names).
 */
function foreignTag(name: string): string {
  const lower = name.toLowerCase()
  return TAGS.get(lower) ?? lower
}

function foreignAttribute(name: string): string {
  const lower = name.toLowerCase()
  return ATTRIBUTES.get(lower) ?? lower
}

function table(names: string): ReadonlyMap<string, string> {
  return new Map(names.split(' ').map((name) => [name.toLowerCase(), name]))
}
