/** HTML as a row of texts and tags, from its beginning to its end; comments are passed over. Linear in time. */
import { endOfTag } from './html-tags.ts'

export interface HtmlTag {
  /** Lower case. */
  name: string
  /** As it is written, from `<` to `>`. */
  source: string
  start: number
  end: number
  /** `whole` has neither content nor an end tag. */
  kind: 'start' | 'end' | 'whole'
}

export interface HtmlReader {
  /** Never empty; entities as they are written. */
  text(raw: string): void
  tag(tag: HtmlTag): void
}

const NAME = /<(\/?)([a-zA-Z][\w:-]*)/y
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** What they hold is no markup, and no reader's. */
const CODE = new Set(['script', 'style'])

export function scanHtml(html: string, reader: HtmlReader): void {
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next !== at) reader.text(html.slice(at, next === -1 ? html.length : next))
    if (next === -1) return
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next)
      at = end === -1 ? html.length : end + 3
      continue
    }
    NAME.lastIndex = next
    const [, slash, name] = NAME.exec(html) ?? []
    if (name === undefined) {
      reader.text('<')
      at = next + 1
      continue
    }
    const tag = tagAt(html, next, name.toLowerCase(), slash === '/')
    reader.tag(tag)
    at = tag.kind === 'start' && CODE.has(tag.name) ? endOfCode(html, tag) : tag.end
  }
}

function tagAt(html: string, start: number, name: string, isEnd: boolean): HtmlTag {
  const end = endOfTag(html, start)
  const source = html.slice(start, end)
  const kind = isEnd ? 'end' : VOID.has(name) || source.endsWith('/>') ? 'whole' : 'start'
  return { name, source, start, end, kind }
}

function endOfCode(html: string, { name, end }: HtmlTag): number {
  const found = html.indexOf(`</${name}`, end)
  return found === -1 ? html.length : found
}

/** The end of an element inside of which others of its name may stand. */
export class OpenElement {
  readonly #name: string
  #depth = 1

  constructor(name: string) {
    this.#name = name
  }

  /** To be told of each tag behind its start; whether that was its end. */
  isEndedBy({ name, kind }: HtmlTag): boolean {
    if (name === this.#name && kind !== 'whole') this.#depth += kind === 'end' ? -1 : 1
    return this.#depth === 0
  }
}
