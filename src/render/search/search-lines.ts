/** Serializes a word of the index. */
import { appendNumber, packForms } from '../../search/format.ts'

export interface StoredWord {
  stem: string
  /** Number of pages that contain it. */
  pages: number
  /** Its shortest form. */
  form: string
  /** Line in the index. */
  line: string
}

/** A more frequent word is indexed only for the pages in which it has the highest weight. */
const MAX_PAGES = 1500

/**
 * `forms` are sorted. `places` lists page after page: the page's number, 32 × sections + weight in the page, and for
 * each section 16 × distance + weight in it.
 */
export function createStoredWord(
  stem: string,
  forms: readonly string[],
  pages: number,
  places: readonly number[],
): StoredWord {
  const code = encodePlaces(pages, places, pages > MAX_PAGES ? findHeaviestPages(places) : null)
  return { stem, pages, form: findShortest(forms), line: `${stem} ${packForms(stem, forms)} ${code}` }
}

function findShortest(forms: readonly string[]): string {
  return forms.reduce((best, one) => (one.length < best.length ? one : best))
}

/** `wanted` are the pages to list; null for all. */
function encodePlaces(
  pages: number,
  places: readonly number[],
  listedPages: ReadonlySet<number> | null,
): string {
  const bytes: number[] = []
  appendNumber(bytes, pages)
  let last = 0
  for (let at = 0; at < places.length; ) {
    const page = places[at] as number
    const head = places[at + 1] as number
    const next = at + 2 + (head >>> 5)
    if (listedPages === null || listedPages.has(page)) {
      appendNumber(bytes, page - last)
      for (let i = at + 1; i < next; i++) appendNumber(bytes, places[i] as number)
      last = page
    }
    at = next
  }
  return Buffer.from(bytes).toString('latin1')
}

function findHeaviestPages(places: readonly number[]): ReadonlySet<number> {
  const pages: [number, number][] = []
  for (let at = 0; at < places.length; ) {
    const head = places[at + 1] as number
    const count = head >>> 5
    let best = 0
    for (let i = 0; i < count; i++) best = Math.max(best, (places[at + 2 + i] as number) & 15)
    pages.push([places[at] as number, (head & 31) * 16 + best])
    at += 2 + count
  }
  const most = pages.sort(([, a], [, b]) => b - a).slice(0, MAX_PAGES)
  return new Set(most.map(([page]) => page))
}
