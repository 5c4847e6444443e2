/**
 * Extracts all parts of a body from its HTML in one pass: the page and its right column with placeholders,
 * the Markdown version, and data for links, search and style sheets. Some elements written by the isolate are
 * replaced:
 *
 *   <o-code data-t="token" data-i="0"></o-code>   a code block, which is highlighted outside of the isolate
 *   <o-part data-t="token" data-i="0">…</o-part>    a part of an API reference, see api/reference-parts.ts
 *   <o-icon …></o-icon>                           an icon of a library, see icons/icon-element.ts
 *   <o-side>…</o-side>                            content of the right column
 *   <o-agents>…</o-agents>                        content for agents, only in the Markdown version
 *   <o-humans>…</o-humans>                        content for people, not in the Markdown version
 *
 */

import { decodePath } from '../../base/text/decode-path.ts'
import { applyIds, type ReferencePart } from '../api/reference-parts.ts'
import type { ColouredCode } from '../highlight/highlight.ts'
import { attributeValue, formatAttribute, isRemote, listCopiedUrls } from '../html/addresses.ts'
import { rewriteCssUrls } from '../html/css-urls.ts'
import { escapeText } from '../html/html.ts'
import { treeToMarkdown } from '../html/html-markdown.ts'
import { type HtmlText, TextReader } from '../html/html-text.ts'
import { createTextTree, rawText } from '../html/html-tree.ts'
import {
  type Attributes,
  fillPlaceholders,
  type Markup,
  MarkupWriter,
  type Placeholder,
} from '../html/markup.ts'
import { type HtmlElement, type HtmlNode, parseHtml } from '../html/parse-html.ts'
import { readPicture } from '../html/picture.ts'
import { joinMarkup, raw } from '../html/template.ts'
import { readStyleSheet, writeEnd, writeLeaf, writeStart } from '../html/write-html.ts'
import type { Opening, RenderedBody } from '../page/body.ts'
import type { PageOutcome } from '../tree/program.ts'
import { readUpdates } from './read-updates.ts'

/** Collects ids, links, images and remote files from the elements of a body. */
class BodyFacts {
  readonly #ids = new Set<string>()
  /** Ids of elements outside of the right column. */
  readonly #inText = new Set<string>()
  readonly #links = new Set<string>()
  readonly #pictures: string[] = []
  readonly #remote = new Set<string>()

  element(element: HtmlElement, isInSide: boolean): void {
    const { tag, attributes } = element
    for (let i = 0; i < attributes.length; i += 2)
      this.#attribute(attributes[i] as string, attributes[i + 1] ?? '', isInSide)
    if (tag === 'img') {
      const picture = readPicture(attributes)
      if (picture !== null) this.#pictures.push(picture)
    }
    for (const url of listCopiedUrls(tag, attributes)) this.#remote.add(url)
    if (tag === 'style') this.#css(readStyleSheet(element) ?? '')
  }

  isInText(id: string): boolean {
    return this.#inText.has(id)
  }

  end() {
    // Omits links within the page, since most headings link to themselves.
    const isOwn = (href: string) => href.startsWith('#') && this.#ids.has(decodePath(href.slice(1)))
    return {
      anchors: {
        ids: [...this.#ids].join('\n'),
        links: [...this.#links].filter((href) => !isOwn(href)),
      },
      images: this.#pictures.filter((picture) => !isRemote(picture)),
      pictures: this.#pictures.filter(isRemote),
      remote: [...this.#remote],
    }
  }

  #attribute(name: string, value: string, isInSide: boolean): void {
    if (name === 'id' || name === 'name') {
      this.#ids.add(value)
      if (!isInSide) this.#inText.add(value)
    } else if (name === 'href') {
      if (/^[#/]/.test(value) && value.includes('#')) this.#links.add(value)
    } else if (name === 'style') this.#css(value)
  }

  #css(css: string): void {
    if (!css.includes('//')) return
    rewriteCssUrls(css, (url) => {
      if (isRemote(url)) this.#remote.add(url)
      return url
    })
  }
}

type BodyContent = HtmlText &
  Pick<RenderedBody, 'html' | 'side' | 'markdown' | 'opening' | 'updates'> &
  ReturnType<BodyFacts['end']>

type Outcome = Pick<PageOutcome, 'headings' | 'codes' | 'parts'>

interface Insertions {
  /** Highlighted code blocks, in the order of the outcome. */
  codes: readonly ColouredCode[]
  parts: readonly ReferencePart[]
}

export function readBody(
  token: string,
  outcome: Outcome & Pick<PageOutcome, 'html'>,
  insertions: Insertions,
): BodyContent {
  const tree = parseHtml(outcome.html)
  const page = new BodyWalk(token, outcome, insertions).read(tree)
  const markdown = treeToMarkdown(createTextTree(tree, (tag) => tag === 'o-humans'))
  const updates = outcome.html.includes('class="update') ? readUpdates(tree) : []
  return { ...page, markdown, updates }
}

/** Number of characters that are always visible without scrolling. */
const FIRST_SCREEN_CHARACTERS = 1500
/** Matches images for dark mode, which must not be loaded eagerly because they may be hidden. */
const DARK_MODE_CLASS = /(?:^|\s)dark:/
/** Ids to omit in the right column if they also occur in the text before it. */
const SIDE_IDS = new Set(['panel', 'request-example', 'response-example'])

class BodyWalk {
  readonly #token: string
  readonly #outcome: Outcome
  readonly #codes: readonly ColouredCode[]
  readonly #parts: (ReferencePart | undefined)[]
  readonly #text: TextReader
  readonly #facts = new BodyFacts()
  readonly #sides: Markup[] = []
  #html = new MarkupWriter()
  #isInSide = false

  constructor(token: string, outcome: Outcome, { codes, parts }: Insertions) {
    this.#token = token
    this.#outcome = outcome
    this.#codes = codes
    this.#parts = [...parts]
    this.#text = new TextReader(new Map(outcome.headings.map(({ id, text }) => [id, text])))
  }

  read({ children }: HtmlElement) {
    const first = children.findIndex((node) => typeof node !== 'string' || node.trim() !== '')
    const heading = findHeading(children[first])
    const opening = heading && this.#opening(heading)
    this.#nodes(heading ? children.slice(first + 1) : children)
    const side = this.#sides.flatMap((part, index) => (index === 0 ? [part] : [raw('\n'), part]))
    return {
      opening,
      html: this.#html.end(),
      side:
        side.length === 0
          ? null
          : fillPlaceholders(joinMarkup(side), (original) => this.#createServiceWithId(original)),
      ...this.#text.end(),
      ...this.#facts.end(),
    }
  }

  #opening(heading: HtmlElement): Opening {
    this.#text.open(heading)
    this.#facts.element(heading, false)
    const content = this.#apart(() => this.#nodes(heading.children))
    this.#text.close(heading)
    const whole = new MarkupWriter()
    writeStart(heading, heading.attributes, whole)
    whole.markup(content)
    writeEnd(heading, whole)
    const words = rawText(createTextTree(heading)).trim()
    return { id: attributeValue(heading.attributes, 'id'), words, whole: whole.end(), content }
  }

  #apart(write: () => void): Markup {
    const around = this.#html
    this.#html = new MarkupWriter()
    write()
    const bodyMarkup = this.#html.end()
    this.#html = around
    return bodyMarkup
  }

  #nodes(nodes: readonly HtmlNode[]): void {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[i] as HtmlNode
      if (typeof node === 'string') {
        this.#text.words(node)
        this.#html.raw(escapeText(node))
      } else if ('raw' in node) this.#html.raw(node.raw)
      else this.#element(node)
    }
  }

  #element(element: HtmlElement): void {
    const code = this.#codeOf(element)
    if (code) {
      this.#text.code(code)
      this.#html.raw(code.html)
    } else if (this.#isPart(element)) this.#nodes(element.children)
    else if (isWrapper(element, 'o-agents')) return
    else if (isWrapper(element, 'o-humans')) this.#nodes(element.children)
    else if (isWrapper(element, 'o-side')) this.#beside(element)
    else this.#plain(element)
  }

  /** Reads the right column. Merges nested right columns. */
  #beside({ children }: HtmlElement): void {
    if (this.#isInSide) {
      this.#nodes(children)
      return
    }
    this.#isInSide = true
    this.#sides.push(this.#apart(() => this.#nodes(children)))
    this.#isInSide = false
  }

  #plain(element: HtmlElement): void {
    this.#text.open(element)
    this.#facts.element(element, this.#isInSide)
    if (!writeLeaf(element, this.#html)) {
      const id = this.#isInSide ? attributeValue(element.attributes, 'id') : null
      // Writes a slot for the id, because the rest of the text may contain the same id.
      if (id !== null && SIDE_IDS.has(id))
        writeStart(element, without(element.attributes, isId), this.#html, { kind: 'slot', name: id })
      else writeStart(element, this.#attributesOf(element), this.#html)
      this.#nodes(element.children)
      writeEnd(element, this.#html)
    }
    this.#text.close(element)
  }

  #createServiceWithId(original: Placeholder): string | Placeholder {
    if (original.kind !== 'slot') return original
    return this.#facts.isInText(original.name) ? '' : formatAttribute('id', original.name)
  }

  /** Removes lazy loading from images near the top, because they are visible immediately. */
  #attributesOf({ tag, attributes }: HtmlElement): Attributes {
    if (tag !== 'img' || this.#html.characters > FIRST_SCREEN_CHARACTERS) return attributes
    if (DARK_MODE_CLASS.test(attributeValue(attributes, 'class') ?? '')) return attributes
    return without(attributes, (name, value) => name === 'loading' && value === 'lazy')
  }

  /** Returns the highlighted code block for a placeholder, and adds its text to the element. */
  #codeOf(element: HtmlElement): ColouredCode | null {
    const index = this.#numberIn(element, 'o-code')
    if (index === null) return null
    element.children = [this.#outcome.codes[index]?.code ?? '']
    return this.#codes[index] ?? null
  }

  /** Returns whether the element is a placeholder for a part, and replaces its children with the part. */
  #isPart(element: HtmlElement): boolean {
    const index = this.#numberIn(element, 'o-part')
    const part = index === null ? undefined : this.#parts[index]
    if (index === null || part === undefined) return false
    element.children = [...applyIds(part, this.#outcome.parts[index] ?? [], element.children)]
    this.#parts[index] = undefined
    return true
  }

  /** Returns null for an element written by the page, which lacks the secret token. */
  #numberIn({ tag, attributes }: HtmlElement, name: string): number | null {
    if (tag !== name || attributeValue(attributes, 'data-t') !== this.#token) return null
    return Number(attributeValue(attributes, 'data-i'))
  }
}

function findHeading(node: HtmlNode | undefined): HtmlElement | null {
  return typeof node === 'object' && 'tag' in node && node.tag === 'h1' && node.end === 'tag' ? node : null
}

/** Returns whether the element is a closed element with this name. Unclosed elements are not special. */
function isWrapper({ tag, end }: HtmlElement, name: string): boolean {
  return tag === name && end === 'tag'
}

const isId = (name: string) => name === 'id'

function without(
  attributes: Attributes,
  isDropped: (name: string, value: string | null) => boolean,
): Attributes {
  const remaining: (string | null)[] = []
  for (let i = 0; i < attributes.length; i += 2) {
    const [name, value] = [attributes[i] as string, attributes[i + 1] as string | null]
    if (!isDropped(name, value)) remaining.push(name, value)
  }
  return remaining.length === attributes.length ? attributes : remaining
}
