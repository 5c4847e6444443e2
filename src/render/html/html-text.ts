/** What search, the contents and the style sheet need from the finished HTML of a body. */
import { type HtmlReader, type HtmlTag, OpenElement, scanHtml } from './html-scan.ts'
import { decodeEntities } from './html-tags.ts'

export interface HtmlText {
  sections: { id: string | null; title: string | null; text: string }[]
  classes: string[]
}

/** Characters of one code block that are searched. */
const CODE_IN_SEARCH = 2000

const NO_TEXT = new Set(['script', 'style', 'svg', 'annotation', 'template', 'noscript'])
/** Text on both sides of these belongs to one word. */
const INLINE = new Set(
  'a abbr b code em i kbd mark q s small span strong sub sup u var mi mn mo mrow'.split(' '),
)

export function readHtml(html: string, headings: ReadonlyMap<string, string>): HtmlText {
  const reader = new TextReader(headings)
  scanHtml(html, reader)
  return reader.end()
}

export class TextReader implements HtmlReader {
  readonly #headings: ReadonlyMap<string, string>
  readonly #sections: HtmlText['sections'] = [{ id: null, title: null, text: '' }]
  readonly #classes = new Set<string>()
  #parts: string[] = []
  /** The element that keeps its text out. */
  #hidden: OpenElement | null = null
  #inHeading: string | null = null
  #codeLeft: number | null = null

  /** `headings`: titles of registered headings by id, each of which starts a section. */
  constructor(headings: ReadonlyMap<string, string>) {
    this.#headings = headings
  }

  text(raw: string): void {
    if (this.#hidden || this.#inHeading !== null) return
    let text = decodeEntities(raw)
    if (this.#codeLeft !== null) {
      text = text.slice(0, this.#codeLeft)
      this.#codeLeft -= text.length
    }
    this.#parts.push(text)
  }

  tag(tag: HtmlTag): void {
    const classes = tag.kind === 'end' ? null : attribute(tag.source, 'class')
    if (classes) this.#classes.add(classes)
    if (this.#hidden) {
      if (this.#hidden.isEndedBy(tag)) this.#hidden = null
    } else if (tag.kind === 'start' && isTextless(tag)) this.#hidden = new OpenElement(tag.name)
    else this.#pass(tag)
  }

  end(): HtmlText {
    this.#closeSection()
    const isEmpty = (section: HtmlText['sections'][number]) => section.id === null && section.text === ''
    return {
      sections: this.#sections.filter((section) => !isEmpty(section)),
      classes: [...this.#classes].sort(),
    }
  }

  #pass({ name, source, kind }: HtmlTag): void {
    const isEnd = kind === 'end'
    if (name === 'pre') this.#codeLeft = isEnd ? null : CODE_IN_SEARCH
    const id = isEnd ? null : attribute(source, 'id')
    const title = id === null ? undefined : this.#headings.get(id)
    if (id !== null && title !== undefined) {
      this.#closeSection()
      this.#sections.push({ id, title, text: '' })
      if (/^h[1-6]$/.test(name)) this.#inHeading = name
    } else if (this.#inHeading === name && isEnd) {
      this.#inHeading = null
    }
    if (!INLINE.has(name) && this.#inHeading === null) this.#parts.push(' ')
  }

  #closeSection(): void {
    const section = this.#sections.at(-1)
    if (section) section.text = this.#parts.join('').replace(/\s+/g, ' ').trim()
    this.#parts = []
  }
}

/** Scripts, pictures, what is hidden from screen readers, and buttons other than the titles of tabs. */
function isTextless({ name, source }: HtmlTag): boolean {
  if (name === 'button') return !source.includes(' role="tab"')
  return NO_TEXT.has(name) || source.includes(' aria-hidden="true"') || /\bheading-anchor\b/.test(source)
}

const VALUE = {
  class: /\sclass=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
  id: /\sid=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i,
}

function attribute(source: string, name: keyof typeof VALUE): string | null {
  if (!source.includes(` ${name}=`)) return null
  const found = VALUE[name].exec(source)
  return found ? decodeEntities(found[1] ?? found[2] ?? found[3] ?? '') : null
}
