/** Ranks pages by the postings of the query words. */
import type { Entry } from './dictionary.ts'
import type { Meaning, Sense } from './interpret.ts'

export interface RankedPage {
  page: number
  score: number
}

export interface Ranking {
  /** Best first. */
  pages: RankedPage[]
  /** Returns the numbers of a page's matching sections, best first. */
  sectionsOf(page: number): number[]
}

const OF_PAGE = 1.5 / 31
const OF_SECTION = 1 / 15
/** Contribution of all other sections of a page, relative to the best one. */
const OF_OTHERS = 0.25
const MOST_SECTIONS = 4
/** Minimum score of the sections shown, relative to the page's best one. */
const SHOWN_SECTION = 0.4

/** Matches of the query in a page. Sections are three parallel lists, because a page has few. */
interface Gathered {
  ofPage: number
  /** Weighted by the rarity of words, as in the sections. */
  covered: number
  numbers: number[]
  scores: number[]
  coverages: number[]
}

/** `weightOf` returns the weight of a page by its number. */
export function rankPages(meanings: readonly Meaning[], weightOf: (page: number) => number): Ranking {
  const told = meanings.filter(({ senses }) => senses.length > 0)
  const unknown = meanings.filter(({ senses, isFiller }) => senses.length === 0 && !isFiller).length
  const highest = Math.max(1, ...told.map(({ rarity }) => rarity))
  // A word that does not occur counts as much as the rarest one.
  const whole = told.reduce((sum, { rarity, isExtra }) => sum + (isExtra ? 0 : rarity), 0) + unknown * highest
  const gathered = new Map<number, Gathered>()
  for (const meaning of told) gather(gathered, placesOf(meaning.senses), meaning)
  const pages: RankedPage[] = []
  for (const [page, found] of gathered) pages.push({ page, score: scoreOf(found, whole) * weightOf(page) })
  return {
    pages: pages.sort((a, b) => b.score - a.score || a.page - b.page),
    sectionsOf: (page) => bestSections(gathered.get(page), whole),
  }
}

/** Postings in the format of an entry. Weights may be fractions here. */
type Places = readonly number[]

function gather(
  gathered: Map<number, Gathered>,
  { places, share }: { places: Places; share: number },
  { rarity, isExtra }: Meaning,
): void {
  const covered = isExtra ? 0 : rarity
  let page = 0
  for (let at = 0; at < places.length; ) {
    page += places[at] as number
    let found = gathered.get(page)
    if (!found) {
      found = { ofPage: 0, covered: 0, numbers: [], scores: [], coverages: [] }
      gathered.set(page, found)
    }
    const head = places[at + 1] as number
    found.ofPage += (head & 31) * share * rarity * OF_PAGE
    found.covered += covered
    let section = 0
    const end = at + 2 + (head >>> 5)
    for (let i = at + 2; i < end; i++) {
      const packed = places[i] as number
      section += packed >>> 4
      addSection(found, section, (packed & 15) * share * rarity * OF_SECTION, covered)
    }
    at = end
  }
}

function addSection(
  { numbers, scores, coverages }: Gathered,
  section: number,
  score: number,
  covered: number,
) {
  const index = numbers.indexOf(section)
  if (index < 0) {
    numbers.push(section)
    scores.push(score)
    coverages.push(covered)
    return
  }
  scores[index] = (scores[index] as number) + score
  coverages[index] = (coverages[index] as number) + covered
}

function scoreOf(found: Gathered, whole: number): number {
  let best = 0
  let all = 0
  for (let i = 0; i < found.numbers.length; i++) {
    const score = sectionScore(found, i, whole)
    all += score
    if (score > best) best = score
  }
  const coverage = found.covered / whole
  return (found.ofPage + best + OF_OTHERS * Math.min(best, (all - best) / 3)) * coverage * coverage
}

function sectionScore({ scores, coverages }: Gathered, index: number, whole: number): number {
  return (scores[index] as number) * (0.3 + (0.7 * (coverages[index] as number)) / whole)
}

function bestSections(found: Gathered | undefined, whole: number): number[] {
  if (!found) return []
  const sections = found.numbers.map((number, index) => ({
    number,
    score: sectionScore(found, index, whole),
  }))
  sections.sort((a, b) => b.score - a.score || a.number - b.number)
  const least = (sections[0]?.score ?? 0) * SHOWN_SECTION
  return sections
    .filter(({ score }) => score > least)
    .slice(0, MOST_SECTIONS)
    .map(({ number }) => number)
}

/** Merges the senses of a word; for each page, the best one counts. */
function placesOf(senses: readonly Sense[]): { places: Places; share: number } {
  const [only] = senses
  if (senses.length === 1 && only?.entries.length === 1) {
    return { places: (only.entries[0] as Entry).places, share: only.share }
  }
  const found = new Map<number, Found>()
  for (const { entries, share } of senses) {
    const [first, ...others] = entries
    if (!first) continue
    let places = read(first, share)
    for (const other of others) places = both(places, read(other, share))
    for (const [page, place] of places) {
      const known = found.get(page)
      found.set(page, known ? better(known, place) : place)
    }
  }
  return { places: written(found), share: 1 }
}

/** Occurrences of a query word in a page. */
interface Found {
  page: number
  /** Weights by section. */
  sections: Map<number, number>
}

function read({ places }: Entry, share: number): Map<number, Found> {
  const found = new Map<number, Found>()
  let page = 0
  for (let at = 0; at < places.length; ) {
    page += places[at] as number
    const head = places[at + 1] as number
    const sections = new Map<number, number>()
    let section = 0
    const end = at + 2 + (head >>> 5)
    for (let i = at + 2; i < end; i++) {
      const packed = places[i] as number
      section += packed >>> 4
      sections.set(section, (packed & 15) * share)
    }
    found.set(page, { page: (head & 31) * share, sections })
    at = end
  }
  return found
}

/** Returns postings in the format of an entry; the order of pages is arbitrary. */
function written(found: ReadonlyMap<number, Found>): number[] {
  const places: number[] = []
  let last = 0
  for (const [page, { page: weight, sections }] of found) {
    places.push(page - last, sections.size * 32 + Math.round(weight))
    last = page
    let before = 0
    for (const [number, share] of [...sections].sort(([a], [b]) => a - b)) {
      places.push((number - before) * 16 + Math.round(share))
      before = number
    }
  }
  return places
}

function both(a: Map<number, Found>, b: Map<number, Found>): Map<number, Found> {
  const found = new Map<number, Found>()
  for (const [page, one] of a) {
    const other = b.get(page)
    if (!other) continue
    const sections = new Map<number, number>()
    for (const [number, weight] of one.sections) {
      const beside = other.sections.get(number)
      if (beside !== undefined) sections.set(number, Math.min(weight, beside))
    }
    const ofPage = Math.min(one.page, other.page)
    if (ofPage > 0 || sections.size > 0) found.set(page, { page: ofPage, sections })
  }
  return found
}

function better(a: Found, b: Found): Found {
  const sections = new Map(a.sections)
  for (const [number, weight] of b.sections) sections.set(number, Math.max(weight, sections.get(number) ?? 0))
  return { page: Math.max(a.page, b.page), sections }
}
