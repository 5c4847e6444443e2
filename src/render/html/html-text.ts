/** Extracts data from the HTML of a body for search, contents and style sheet. */
import { attributeValue } from './addresses.ts'
import { CONTROLS, listClasses } from './html-tree.ts'
import type { HtmlElement } from './parse-html.ts'

export interface HtmlText {
  sections: { id: string | null; title: string | null; text: string }[]
  /** All values of class attributes, sorted. */
  classes: string[]
}

/** Characters of a code block that are indexed. */
const CODE_IN_SEARCH = 2000

const NO_TEXT = new Set(['script', 'style', 'svg', 'annotation', 'template', 'noscript'])
/** Text on both sides of these elements forms one word. */
const INLINE = new Set(
  'a abbr b code em i kbd mark q s small span strong sub sup u var mi mn mo mrow'.split(' '),
)
/** Inline elements that are separate words next to each other, because style sheets put space between them. */
const SEPARATE_WORD_TAGS = new Set(['a', 'code', 'kbd', 'span'])
/** Parts of a word even next to one of the above: H₂O, a footnote mark. */
const WORD_PARTS = new Set(['sub', 'sup'])

/** Receives the elements as they open and close, and the text in between, in document order. */
export class TextReader {
  readonly #headings: ReadonlyMap<string, string>
  readonly #sections: HtmlText['sections'] = [{ id: null, title: null, text: '' }]
  readonly #classes = new Set<string>()
  #parts: string[] = []
  /** Depth below an element whose text is ignored. */
  #hidden = 0
  #inHeading: HtmlElement | null = null
  #codeLeft: number | null = null
  /** Tag of the inline element that has just ended. */
  #behind: string | null = null

  /** `headings` are the titles of registered headings by id; each starts a section. */
  constructor(headings: ReadonlyMap<string, string>) {
    this.#headings = headings
  }

  words(text: string): void {
    if (this.#hidden > 0 || this.#inHeading !== null) return
    this.#behind = null
    if (this.#codeLeft === null) this.#parts.push(text)
    else {
      const part = text.slice(0, this.#codeLeft)
      this.#codeLeft -= part.length
      this.#parts.push(part)
    }
  }

  /** Adds text and classes of a code block that is not part of the tree. */
  code({ text, classes }: { text: string; classes: readonly string[] }): void {
    for (const value of classes) this.#classes.add(value)
    this.words(text)
  }

  open(element: HtmlElement): void {
    const { tag, attributes } = element
    const classes = attributeValue(attributes, 'class')
    if (classes) this.#classes.add(classes)
    if (this.#hidden > 0 || isTextless(element)) {
      this.#hidden += 1
      return
    }
    if (tag === 'pre') this.#codeLeft = CODE_IN_SEARCH
    const id = attributeValue(attributes, 'id')
    const title = id === null ? undefined : this.#headings.get(id)
    if (id !== null && title !== undefined) {
      this.#closeSection()
      this.#sections.push({ id, title, text: '' })
      if (/^h[1-6]$/.test(tag)) this.#inHeading = element
    }
    if (this.#behind !== null && areSeparateWords(this.#behind, tag)) this.#parts.push(' ')
    this.#behind = null
    this.#divide(tag)
  }

  close(element: HtmlElement): void {
    if (this.#hidden > 0) {
      this.#hidden -= 1
      return
    }
    if (element.tag === 'pre') this.#codeLeft = null
    if (this.#inHeading === element) this.#inHeading = null
    this.#divide(element.tag)
    this.#behind = INLINE.has(element.tag) ? element.tag : null
  }

  end(): HtmlText {
    this.#closeSection()
    const isEmpty = (section: HtmlText['sections'][number]) => section.id === null && section.text === ''
    return {
      sections: this.#sections.filter((section) => !isEmpty(section)),
      classes: [...this.#classes].sort(),
    }
  }

  #divide(tag: string): void {
    if (!INLINE.has(tag) && this.#inHeading === null) this.#parts.push(' ')
  }

  #closeSection(): void {
    const section = this.#sections.at(-1)
    if (section) section.text = this.#parts.join('').replace(/\s+/g, ' ').trim()
    this.#parts = []
  }
}

function areSeparateWords(before: string, behind: string): boolean {
  if (WORD_PARTS.has(before) || WORD_PARTS.has(behind)) return false
  return SEPARATE_WORD_TAGS.has(before) || SEPARATE_WORD_TAGS.has(behind)
}

/** Scripts, pictures, what is hidden from screen readers, and what is there to be pressed alone. */
function isTextless(element: HtmlElement): boolean {
  if (NO_TEXT.has(element.tag) || attributeValue(element.attributes, 'aria-hidden') === 'true') return true
  return listClasses(element).some((name) => CONTROLS.has(name))
}
