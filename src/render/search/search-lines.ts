/** One word of one language as it stands in the index. */
import { appendNumber, firstNumber, packForms, readNumbers, unpackForms } from '../../search/format.ts'

export interface StoredWord {
  stem: string
  /** In how many pages it stands. */
  pages: number
  /** How it is written most shortly. */
  form: string
  /** As it stands in the index. */
  line: string
  /** Its places in all pages, coded; null when the line has them. */
  whole: string | null
}

/** Of a more frequent word only the pages in which it weighs most are kept: the others are told apart by other words. */
const MOST_PAGES = 1500

/**
 * `forms` are sorted. `places` are of one page after the other: its number, 32 × sections + weight in the page, and for
 * each section 16 × distance + weight in it.
 */
export function storedWord(
  stem: string,
  forms: readonly string[],
  pages: number,
  places: readonly number[],
): StoredWord {
  const isCut = pages > MOST_PAGES
  const whole = codeOf(pages, places, null)
  const code = isCut ? codeOf(pages, places, weightiest(places)) : whole
  const line = `${stem} ${packForms(stem, forms)} ${code}`
  return { stem, pages, form: shortest(forms), line, whole: isCut ? whole : null }
}

/** Of a line of a word of this stem. */
export function formOfLine(stem: string, line: string): string {
  return shortest(unpackForms(stem, line.slice(stem.length + 1, line.lastIndexOf(' '))))
}

export function codeOfLine(line: string): string {
  return line.slice(line.lastIndexOf(' ') + 1)
}

/** In how many pages a word stands. */
export function pagesOfCode(code: string): number {
  return firstNumber(code, 0)
}

/** The same of a whole line. */
export function pagesOfLine(line: string): number {
  return firstNumber(line, line.lastIndexOf(' ') + 1)
}

/** The places that a code has. Throws RangeError for one that is none. */
export function placesOfCode(code: string): number[] {
  const [, ...places] = readNumbers(code)
  let page = 0
  let at = 0
  while (at < places.length) {
    page += places[at] as number
    places[at] = page
    at += 2 + ((places[at + 1] ?? 0) >>> 5)
  }
  if (at !== places.length) throw new RangeError('the places of a word end too early')
  return places
}

function shortest(forms: readonly string[]): string {
  return forms.reduce((best, one) => (one.length < best.length ? one : best))
}

/** `kept`: the pages that are told of; null: all. */
function codeOf(pages: number, places: readonly number[], kept: ReadonlySet<number> | null): string {
  const bytes: number[] = []
  appendNumber(bytes, pages)
  let last = 0
  for (let at = 0; at < places.length; ) {
    const page = places[at] as number
    const head = places[at + 1] as number
    const next = at + 2 + (head >>> 5)
    if (kept === null || kept.has(page)) {
      appendNumber(bytes, page - last)
      for (let i = at + 1; i < next; i++) appendNumber(bytes, places[i] as number)
      last = page
    }
    at = next
  }
  return Buffer.from(bytes).toString('latin1')
}

function weightiest(places: readonly number[]): ReadonlySet<number> {
  const pages: [number, number][] = []
  for (let at = 0; at < places.length; ) {
    const head = places[at + 1] as number
    const count = head >>> 5
    let best = 0
    for (let i = 0; i < count; i++) best = Math.max(best, (places[at + 2 + i] as number) & 15)
    pages.push([places[at] as number, (head & 31) * 16 + best])
    at += 2 + count
  }
  const most = pages.sort(([, a], [, b]) => b - a).slice(0, MOST_PAGES)
  return new Set(most.map(([page]) => page))
}
