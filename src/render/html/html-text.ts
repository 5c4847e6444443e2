/** Extracts data from HTML for search, the table of contents and style sheets. */
import { attributeValue } from './addresses.ts'
import { CONTROLS, listClasses } from './html-tree.ts'
import { toSingleLine } from './markdown-text.ts'
import type { HtmlElement } from './parse-html.ts'

export interface HtmlText {
  sections: { id: string | null; title: string | null; text: string }[]
  /** Sorted values of all class attributes. */
  classes: string[]
}

/** Maximum number of indexed characters per code block. */
const MAX_SEARCHED_CODE_CHARACTERS = 2000

const UNSEARCHED_TAGS = new Set(['script', 'style', 'svg', 'annotation', 'template', 'noscript'])
/** Elements that do not separate words. */
const INLINE = new Set(
  'a abbr b code em i kbd mark q s small span strong sub sup u var mi mn mo mrow'.split(' '),
)
/** Inline elements that separate words when adjacent, because style sheets add space between them. */
const SEPARATE_WORD_TAGS = new Set(['a', 'code', 'kbd', 'span'])
/** Elements that never separate words: H₂O, footnote references. */
const NON_SEPARATING_TAGS = new Set(['sub', 'sup'])

/** Collects text while elements are opened and closed in document order. */
export class TextReader {
  readonly #headings: ReadonlyMap<string, string>
  readonly #sections: HtmlText['sections'] = [{ id: null, title: null, text: '' }]
  readonly #classes = new Set<string>()
  #parts: string[] = []
  /** Depth inside an element whose text is ignored; 0 outside. */
  #hidden = 0
  #inHeading: HtmlElement | null = null
  #codeLeft: number | null = null
  /** Tag of the inline element that has just been closed. */
  #behind: string | null = null

  /** `headings` contains titles by id. Each heading starts a section. */
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

  /** Adds a code block that is not part of the tree. */
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
    if (tag === 'pre') this.#codeLeft = MAX_SEARCHED_CODE_CHARACTERS
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
    if (INLINE.has(tag) || this.#inHeading !== null) return
    if (this.#parts.at(-1) !== ' ') this.#parts.push(' ')
  }

  #closeSection(): void {
    const section = this.#sections.at(-1)
    if (section) section.text = toSingleLine(this.#parts.join(''))
    this.#parts = []
  }
}

function areSeparateWords(before: string, behind: string): boolean {
  if (NON_SEPARATING_TAGS.has(before) || NON_SEPARATING_TAGS.has(behind)) return false
  return SEPARATE_WORD_TAGS.has(before) || SEPARATE_WORD_TAGS.has(behind)
}

/** Returns whether to ignore the text: scripts, images, controls, and content hidden from screen readers. */
function isTextless(element: HtmlElement): boolean {
  if (UNSEARCHED_TAGS.has(element.tag) || attributeValue(element.attributes, 'aria-hidden') === 'true')
    return true
  return listClasses(element).some(isControl)
}

const isControl = (name: string) => CONTROLS.has(name)
