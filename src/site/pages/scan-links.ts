/**
 * Finds Markdown links in two passes: from the end of the text, then from its start. Code in the text must be
 * blanked out.
 */
import { createForwardSearch } from '../../base/text/forward-search.ts'

export interface MarkdownLink {
  href: string
  isImage: boolean
  /**
   * True for a destination with spaces and without < and >, which Markdown treats as text and not as a link.
   */
  isSpaced: boolean
  start: number
  end: number
}

/** Maximum length of a label; a bracketed part counts as one character. */
const MAX_LABEL_CHARACTERS = 2000
const MAX_BRACKET_CHARACTERS = 1000

/** End of the label that contains a position, and the length of the label after that position. */
interface LabelRest {
  end: number
  length: number
}

/** Finds `[label](url)` and `![alt](url)`; a label may contain one level of brackets and no empty line. */
export function* markdownLinks(text: string): Iterable<MarkdownLink> {
  const ends = labelEnds(text)
  const angle = createForwardSearch(text, /[>\n]/g)
  let from = 0
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', Math.max(at + 1, from))) {
    const label = ends.get(at)
    if (!label || label.length > MAX_LABEL_CHARACTERS || text[label.end + 1] !== '(') continue
    const target = readTarget(text, label.end + 2, angle)
    if (!target) continue
    const isImage = at > from && text[at - 1] === '!'
    yield { ...target, isImage, start: isImage ? at - 1 : at }
    from = target.end
  }
}

/**
 * Returns ends of labels by opening bracket. Brackets are processed from the end, because they depend on
 * later text.
 */
function labelEnds(text: string): ReadonlyMap<number, LabelRest> {
  const marks = [...text.matchAll(/[[\]]|\n(?=[ \t\r]*\n)/g)].map(({ index }) => index)
  const ends = new Map<number, LabelRest>()
  const rests: (LabelRest | null)[] = new Array(marks.length).fill(null)
  const restFrom = (position: number, next: number): LabelRest | null => {
    const mark = marks[next]
    if (mark === undefined || text[mark] === '\n') return null
    const before = mark - position
    if (text[mark] === ']') return { end: mark, length: before }
    const close = marks[next + 1]
    const isPair =
      close !== undefined &&
      text[close] === ']' &&
      close - mark <= MAX_BRACKET_CHARACTERS + 1 &&
      !text.slice(mark, close).includes('\n')
    const rest = isPair ? (rests[next + 1] ?? null) : null
    return rest ? { end: rest.end, length: before + 1 + rest.length } : null
  }
  for (let number = marks.length - 1; number >= 0; number--) {
    const mark = marks[number] as number
    const rest = restFrom(mark + 1, number + 1)
    rests[number] = rest
    if (rest && text[mark] === '[') ends.set(mark, rest)
  }
  return ends
}

const PLAIN_TARGET = /(?:[^\s()\\]|\\.|\([^\s()]*\))+/y
const TARGET_END = /\s{0,20}(?:"[^"]{0,1000}"|'[^']{0,1000}'|\([^()]{0,1000}\))?\s{0,20}\)/y
const SPACED_REST = /[^()\n]{1,300}(?=\))/y
const PATH = /^(?:\.{0,2}\/|#|[a-z]+:)|\/|\.\w+$/i

function readTarget(
  text: string,
  from: number,
  angle: (from: number) => number,
): Pick<MarkdownLink, 'href' | 'isSpaced' | 'end'> | null {
  let at = from
  while (at < text.length && text.charAt(at).trim() === '') at++
  if (text[at] === '<') {
    const close = angle(at)
    if (text[close] === '>') return { href: text.slice(at + 1, close), isSpaced: false, end: close + 1 }
  }
  PLAIN_TARGET.lastIndex = at
  const [plain] = PLAIN_TARGET.exec(text) ?? []
  if (plain === undefined) return null
  const end = at + plain.length
  TARGET_END.lastIndex = end
  if (TARGET_END.test(text)) {
    return { href: plain.replace(/\\([!-/:-@[-`{-~])/g, '$1'), isSpaced: false, end }
  }
  SPACED_REST.lastIndex = end
  const [rest] = SPACED_REST.exec(text) ?? []
  const href = `${plain}${rest}`.replace(/\s["'][^"']*["']\s*$/, '').trim()
  return rest !== undefined && (PATH.test(plain) || PATH.test(href))
    ? { href, isSpaced: true, end: end + rest.length }
    : null
}
