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
  const sections: HtmlText['sections'] = [{ id: null, title: null, text: '' }]
  const classes = new Set<string>()
  let parts: string[] = []
  // Elements that keep their text out, and how deep we are in them.
  let hidden: { tag: string; depth: number } | null = null
  let inHeading: string | null = null
  let codeLeft: number | null = null

  const close = () => {
    const section = sections.at(-1)
    if (section) section.text = parts.join('').replace(/\s+/g, ' ').trim()
    parts = []
  }
  const addText = (raw: string) => {
    if (hidden || inHeading !== null || raw === '') return
    let text = decodeEntities(raw)
    if (codeLeft !== null) {
      text = text.slice(0, codeLeft)
      codeLeft -= text.length
    }
    parts.push(text)
  }

  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    if (next === -1) {
      addText(html.slice(at))
      break
    }
    addText(html.slice(at, next))
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next)
      at = end === -1 ? html.length : end + 3
      continue
    }
    const end = endOfTag(html, next)
    const source = html.slice(next, end)
    const [, slash, name = ''] = /^<(\/?)([a-zA-Z][\w:-]*)/.exec(source) ?? []
    at = end
    if (name === '') {
      addText(source)
      continue
    }
    const tag = name.toLowerCase()
    const isOpen = slash === '' && !VOID.has(tag) && !source.endsWith('/>')
    if (slash === '') {
      const value = attribute(source, 'class')
      if (value) classes.add(value)
    }
    if (hidden) {
      if (tag === hidden.tag) hidden.depth += slash ? -1 : isOpen ? 1 : 0
      if (hidden.depth === 0) hidden = null
      continue
    }
    if (isOpen && isTextless(tag, source)) {
      hidden = { tag, depth: 1 }
      if (tag === 'script' || tag === 'style') at = afterRawText(html, end, tag)
      if (at !== end) hidden = null
      continue
    }
    if (tag === 'pre') codeLeft = slash ? null : CODE_IN_SEARCH
    const id = slash === '' ? attribute(source, 'id') : null
    const title = id === null ? undefined : headings.get(id)
    if (id !== null && title !== undefined) {
      close()
      sections.push({ id, title, text: '' })
      if (/^h[1-6]$/.test(tag)) inHeading = tag
    } else if (inHeading === tag && slash) {
      inHeading = null
    }
    if (!INLINE.has(tag) && inHeading === null) parts.push(' ')
  }
  close()
  const isEmpty = (section: HtmlText['sections'][number]) => section.id === null && section.text === ''
  return { sections: sections.filter((section) => !isEmpty(section)), classes: [...classes].sort() }
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
