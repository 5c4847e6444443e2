/**
 * What a page needs of the HTML of its body, read in one go: the text of the page and of its right column, the Markdown
 * twin, and what search and style sheets ask for. The isolate marks by elements of its own what is put in or taken out:
 *
 *   <o-code data-t="token" data-i="0"></o-code>      a block of code, which is coloured outside of the isolate
 *   <o-side>…</o-side>                               stands in the right column
 *   <o-agents>…</o-agents>, <o-humans>…</o-humans>   see page/audience.ts
 */
import type { ColouredCode } from '../highlight/highlight.ts'
import { treeMarkdown } from '../html/html-markdown.ts'
import { type HtmlReader, type HtmlTag, scanHtml } from '../html/html-scan.ts'
import { type HtmlText, TextReader } from '../html/html-text.ts'
import { TreeBuilder } from '../html/html-tree.ts'
import { forReaders } from '../page/audience.ts'
import type { RenderedBody } from '../page/body.ts'
import type { PageOutcome } from '../tree/program.ts'

const CODE_END = '</o-code>'
const SIDE = '<o-side>'

type ReadBody = Pick<RenderedBody, 'html' | 'side' | 'markdown'> & HtmlText

/** `codes` are those of the outcome, coloured, in their order. */
export function readBody(
  token: string,
  outcome: Pick<PageOutcome, 'html' | 'headings' | 'codes'>,
  codes: readonly ColouredCode[],
): ReadBody {
  const shown = forReaders(outcome.html)
  const text = new TextReader(new Map(outcome.headings.map(({ id, text }) => [id, text])))
  const parts = new BodyParts(shown)
  const tree = new TreeBuilder()
  const isForAll = shown === outcome.html
  const page = {
    text: (raw: string) => {
      text.text(raw)
      if (isForAll) tree.text(raw)
    },
    tag: (tag: HtmlTag) => {
      text.tag(tag)
      parts.tag(tag)
      if (isForAll) tree.tag(tag)
    },
  }
  const words = (index: number) => tree.words(outcome.codes[index]?.code ?? '')
  const put = (index: number, start: number, end: number) => {
    const code = codes[index]
    scanHtml(code?.plain ?? '', text)
    parts.put(start, end, code?.html ?? '')
    if (isForAll) words(index)
  }
  scanHtml(shown, withCode(token, page, put))
  if (!isForAll) scanHtml(outcome.html, withCode(token, tree, words))
  return { ...parts.end(), ...text.end(), markdown: treeMarkdown(tree.root) }
}

/** Tells of blocks of code by their numbers and places, and of all else as it is. A page cannot know its token. */
function withCode(
  token: string,
  reader: HtmlReader,
  put: (index: number, start: number, end: number) => void,
): HtmlReader {
  const mark = `<o-code data-t="${token}" data-i="`
  let isInCode = false
  return {
    text: reader.text.bind(reader),
    tag: (tag) => {
      if (tag.source.startsWith(mark)) {
        isInCode = true
        put(Number.parseInt(tag.source.slice(mark.length), 10), tag.start, tag.end + CODE_END.length)
      } else if (isInCode) isInCode = false
      else reader.tag(tag)
    },
  }
}

/** The HTML of a body and of its right column. */
class BodyParts {
  readonly #source: string
  #html = ''
  readonly #sides: string[] = []
  #side = ''
  #depth = 0
  #taken = 0

  constructor(source: string) {
    this.#source = source
  }

  /** Takes the marks of the right column out; others inside of one are nothing. */
  tag({ name, source, start, end, kind }: HtmlTag): void {
    if (name !== 'o-side' || (source !== SIDE && !(kind === 'end' && this.#depth > 0))) return
    this.put(start, end, '')
    this.#depth += kind === 'end' ? -1 : 1
    if (this.#depth > 0) return
    this.#sides.push(this.#side)
    this.#side = ''
  }

  /** Puts other HTML in the place of a piece of the source. */
  put(start: number, end: number, html: string): void {
    const before = this.#source.slice(this.#taken, start) + html
    if (this.#depth > 0) this.#side += before
    else this.#html += before
    this.#taken = end
  }

  /** A right column that never ends is none. */
  end(): { html: string; side: string | null } {
    this.put(this.#source.length, this.#source.length, '')
    const html = this.#depth > 0 ? this.#html + SIDE + this.#side : this.#html
    return { html, side: this.#sides.length === 0 ? null : this.#sides.join('\n') }
  }
}
