/** What search, the contents and the style sheet need from the finished HTML of a body. */
import { decodeEntities, endOfTag } from './html-tags.ts'

export interface HtmlText {
  sections: { id: string | null; title: string | null; text: string }[]
  classes: string[]
}

/** Characters of one code block that are searched. */
const CODE_IN_SEARCH = 2000

const NO_TEXT = new Set(['script', 'style', 'svg', 'annotation', 'template', 'noscript'])
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Text on both sides of these belongs to one word. */
const INLINE = new Set(
  'a abbr b code em i kbd mark q s small span strong sub sup u var mi mn mo mrow'.split(' '),
)

/** `headings`: ids of registered headings, each of which starts a section. */
export function readHtml(html: string, headings: ReadonlyMap<string, string>): HtmlText {
  const reader = new HtmlReader(html, headings)
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    reader.addText(html.slice(at, next === -1 ? html.length : next))
    if (next === -1) break
    at = html.startsWith('<!--', next) ? afterComment(html, next) : reader.readTag(next)
  }
  return reader.end()
}

class HtmlReader {
  readonly #html: string
  readonly #headings: ReadonlyMap<string, string>
  readonly #sections: HtmlText['sections'] = [{ id: null, title: null, text: '' }]
  readonly #classes = new Set<string>()
  #parts: string[] = []
  /** The element that keeps its text out, and how deep we are in elements of its name. */
  #hidden: { tag: string; depth: number } | null = null
  #inHeading: string | null = null
  #codeLeft: number | null = null

  constructor(html: string, headings: ReadonlyMap<string, string>) {
    this.#html = html
    this.#headings = headings
  }

  addText(raw: string): void {
    if (this.#hidden || this.#inHeading !== null || raw === '') return
    let text = decodeEntities(raw)
    if (this.#codeLeft !== null) {
      text = text.slice(0, this.#codeLeft)
      this.#codeLeft -= text.length
    }
    this.#parts.push(text)
  }

  /** Answers where to go on. */
  readTag(start: number): number {
    const end = endOfTag(this.#html, start)
    const source = this.#html.slice(start, end)
    const [, slash, name = ''] = /^<(\/?)([a-zA-Z][\w:-]*)/.exec(source) ?? []
    if (name === '') {
      this.addText(source)
      return end
    }
    const tag = name.toLowerCase()
    const isEnd = slash !== ''
    const isOpen = !isEnd && !VOID.has(tag) && !source.endsWith('/>')
    const classes = isEnd ? null : attribute(source, 'class')
    if (classes) this.#classes.add(classes)
    if (this.#hidden) this.#count(this.#hidden, tag, isEnd, isOpen)
    else if (isOpen && isTextless(tag, source)) return this.#hide(tag, end)
    else this.#pass(tag, source, isEnd)
    return end
  }

  end(): HtmlText {
    this.#closeSection()
    const isEmpty = (section: HtmlText['sections'][number]) => section.id === null && section.text === ''
    return {
      sections: this.#sections.filter((section) => !isEmpty(section)),
      classes: [...this.#classes].sort(),
    }
  }

  #count(hidden: { tag: string; depth: number }, tag: string, isEnd: boolean, isOpen: boolean): void {
    if (tag === hidden.tag) hidden.depth += isEnd ? -1 : isOpen ? 1 : 0
    if (hidden.depth === 0) this.#hidden = null
  }

  /** What a script or a style sheet holds is no markup: it is passed over in one step. */
  #hide(tag: string, end: number): number {
    if (tag === 'script' || tag === 'style') {
      const after = afterRawText(this.#html, end, tag)
      if (after !== end) return after
    }
    this.#hidden = { tag, depth: 1 }
    return end
  }

  #pass(tag: string, source: string, isEnd: boolean): void {
    if (tag === 'pre') this.#codeLeft = isEnd ? null : CODE_IN_SEARCH
    const id = isEnd ? null : attribute(source, 'id')
    const title = id === null ? undefined : this.#headings.get(id)
    if (id !== null && title !== undefined) {
      this.#closeSection()
      this.#sections.push({ id, title, text: '' })
      if (/^h[1-6]$/.test(tag)) this.#inHeading = tag
    } else if (this.#inHeading === tag && isEnd) {
      this.#inHeading = null
    }
    if (!INLINE.has(tag) && this.#inHeading === null) this.#parts.push(' ')
  }

  #closeSection(): void {
    const section = this.#sections.at(-1)
    if (section) section.text = this.#parts.join('').replace(/\s+/g, ' ').trim()
    this.#parts = []
  }
}

function afterComment(html: string, start: number): number {
  const end = html.indexOf('-->', start)
  return end === -1 ? html.length : end + 3
}

/** Scripts, pictures, what is hidden from screen readers, and buttons other than the titles of tabs. */
function isTextless(tag: string, source: string): boolean {
  if (tag === 'button') return !source.includes(' role="tab"')
  return NO_TEXT.has(tag) || source.includes(' aria-hidden="true"') || /\bheading-anchor\b/.test(source)
}

function afterRawText(html: string, from: number, tag: string): number {
  const end = html.indexOf(`</${tag}`, from)
  return end === -1 ? html.length : endOfTag(html, end)
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

/** Content of the outermost `<o-side>` elements, and the HTML without them. */
export function cutSide(html: string): { html: string; side: string | null } {
  const open = '<o-side>'
  const shut = '</o-side>'
  const sides: string[] = []
  let main = ''
  let at = 0
  for (;;) {
    const start = html.indexOf(open, at)
    const end = start === -1 ? -1 : matchingEnd(html, start + open.length, open, shut)
    if (end === -1) break
    main += html.slice(at, start)
    sides.push(
      html
        .slice(start + open.length, end)
        .replaceAll(open, '')
        .replaceAll(shut, ''),
    )
    at = end + shut.length
  }
  return { html: main + html.slice(at), side: sides.length === 0 ? null : sides.join('\n') }
}

function matchingEnd(html: string, from: number, open: string, shut: string): number {
  let depth = 1
  let at = from
  for (;;) {
    const end = html.indexOf(shut, at)
    if (end === -1) return -1
    const inner = html.indexOf(open, at)
    if (inner !== -1 && inner < end) {
      depth += 1
      at = inner + open.length
    } else {
      depth -= 1
      if (depth === 0) return end
      at = end + shut.length
    }
  }
}
