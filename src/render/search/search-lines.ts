/** Serializes a word of the index. */
import { appendNumber, packForms } from '../../search/format.ts'

export interface StoredWord {
  stem: string
  /** Number of pages that contain the word. */
  pages: number
  form: string
  line: string
}

/** Maximum number of pages indexed per word: those in which the word has the highest weight. */
const MAX_PAGES = 1500

/**
 * `forms` are sorted. `positions` lists for each page: its number; 32 × number of sections + weight in the page;
 * and for each section, 16 × distance from the previous section + weight in the section.
 */
export function createStoredWord(
  stem: string,
  forms: readonly string[],
  pages: number,
  positions: readonly number[],
): StoredWord {
  const code = encodePositions(pages, positions, pages > MAX_PAGES ? findHeaviestPages(positions) : null)
  return { stem, pages, form: findShortest(forms), line: `${stem} ${packForms(stem, forms)} ${code}` }
}

function findShortest(forms: readonly string[]): string {
  return forms.reduce((best, one) => (one.length < best.length ? one : best))
}

function encodePositions(
  pages: number,
  positions: readonly number[],
  listedPages: ReadonlySet<number> | null,
): string {
  const bytes: number[] = []
  appendNumber(bytes, pages)
  let last = 0
  for (let at = 0; at < positions.length; ) {
    const page = positions[at] as number
    const head = positions[at + 1] as number
    const next = at + 2 + (head >>> 5)
    if (listedPages === null || listedPages.has(page)) {
      appendNumber(bytes, page - last)
      for (let i = at + 1; i < next; i++) appendNumber(bytes, positions[i] as number)
      last = page
    }
    at = next
  }
  return Buffer.from(bytes).toString('latin1')
}

function findHeaviestPages(positions: readonly number[]): ReadonlySet<number> {
  const pages: [number, number][] = []
  for (let at = 0; at < positions.length; ) {
    const head = positions[at + 1] as number
    const count = head >>> 5
    let best = 0
    for (let i = 0; i < count; i++) best = Math.max(best, (positions[at + 2 + i] as number) & 15)
    pages.push([positions[at] as number, (head & 31) * 16 + best])
    at += 2 + count
  }
  const most = pages.sort(([, a], [, b]) => b - a).slice(0, MAX_PAGES)
  return new Set(most.map(([page]) => page))
}
