/** Ranks pages by the postings of the query words. */
import type { Entry } from './dictionary.ts'
import type { QueryTerm, Sense } from './interpret.ts'

export interface RankedPage {
  page: number
  score: number
}

export interface Ranking {
  /** Best first. */
  pages: RankedPage[]
  sectionsOf(page: number): number[]
}

const PAGE_FACTOR = 1.5 / 31
const SECTION_FACTOR = 1 / 15
/** Contribution of all other sections of a page, relative to the best section. */
const OTHER_SECTIONS_FACTOR = 0.25
const MAX_SECTIONS = 4
/** Minimum score of a shown section, relative to the best section of the page. */
const MIN_SECTION_SHARE = 0.4

/** Matches of the query in a page. Sections are three parallel lists, because a page has few. */
interface PageScore {
  pageWeight: number
  /** Total rarity of the matching words. */
  covered: number
  numbers: number[]
  scores: number[]
  coverages: number[]
}

export function rankPages(terms: readonly QueryTerm[], weightOf: (page: number) => number): Ranking {
  const foundTerms = terms.filter(({ senses }) => senses.length > 0)
  const unknown = terms.filter(({ senses, isFiller }) => senses.length === 0 && !isFiller).length
  const highest = Math.max(1, ...foundTerms.map(({ rarity }) => rarity))
  // A query word that does not occur counts as much as the rarest word.
  const totalRarity =
    foundTerms.reduce((sum, { rarity, isExtra }) => sum + (isExtra ? 0 : rarity), 0) + unknown * highest
  const pageScores = new Map<number, PageScore>()
  for (const term of foundTerms) addTerm(pageScores, mergeSenses(term.senses), term)
  const pages: RankedPage[] = []
  for (const [page, found] of pageScores)
    pages.push({ page, score: computeScore(found, totalRarity) * weightOf(page) })
  return {
    pages: pages.sort((a, b) => b.score - a.score || a.page - b.page),
    sectionsOf: (page) => bestSections(pageScores.get(page), totalRarity),
  }
}

/** Postings in the format of an entry. Weights may be fractions here. */
type Positions = readonly number[]

function addTerm(
  pageScores: Map<number, PageScore>,
  { places, share }: { places: Positions; share: number },
  { rarity, isExtra }: QueryTerm,
): void {
  const covered = isExtra ? 0 : rarity
  let page = 0
  for (let at = 0; at < places.length; ) {
    page += places[at] as number
    let found = pageScores.get(page)
    if (!found) {
      found = { pageWeight: 0, covered: 0, numbers: [], scores: [], coverages: [] }
      pageScores.set(page, found)
    }
    const head = places[at + 1] as number
    found.pageWeight += (head & 31) * share * rarity * PAGE_FACTOR
    found.covered += covered
    let section = 0
    const end = at + 2 + (head >>> 5)
    for (let i = at + 2; i < end; i++) {
      const packed = places[i] as number
      section += packed >>> 4
      addSection(found, section, (packed & 15) * share * rarity * SECTION_FACTOR, covered)
    }
    at = end
  }
}

function addSection(
  { numbers, scores, coverages }: PageScore,
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

function computeScore(found: PageScore, totalRarity: number): number {
  let best = 0
  let all = 0
  for (let i = 0; i < found.numbers.length; i++) {
    const score = sectionScore(found, i, totalRarity)
    all += score
    if (score > best) best = score
  }
  const coverage = found.covered / totalRarity
  return (
    (found.pageWeight + best + OTHER_SECTIONS_FACTOR * Math.min(best, (all - best) / 3)) * coverage * coverage
  )
}

function sectionScore({ scores, coverages }: PageScore, index: number, totalRarity: number): number {
  return (scores[index] as number) * (0.3 + (0.7 * (coverages[index] as number)) / totalRarity)
}

function bestSections(found: PageScore | undefined, totalRarity: number): number[] {
  if (!found) return []
  const sections = found.numbers.map((number, index) => ({
    number,
    score: sectionScore(found, index, totalRarity),
  }))
  sections.sort((a, b) => b.score - a.score || a.number - b.number)
  const minScore = (sections[0]?.score ?? 0) * MIN_SECTION_SHARE
  return sections
    .filter(({ score }) => score > minScore)
    .slice(0, MAX_SECTIONS)
    .map(({ number }) => number)
}

/** Merges the senses of a word; for each page, only the best sense counts. */
function mergeSenses(senses: readonly Sense[]): { places: Positions; share: number } {
  const [only] = senses
  if (senses.length === 1 && only?.entries.length === 1) {
    return { places: (only.entries[0] as Entry).places, share: only.share }
  }
  const found = new Map<number, WordHits>()
  for (const { entries, share } of senses) {
    const [first, ...others] = entries
    if (!first) continue
    let places = decodePositions(first, share)
    for (const other of others) places = intersectHits(places, decodePositions(other, share))
    for (const [page, place] of places) {
      const previous = found.get(page)
      found.set(page, previous ? mergeHits(previous, place) : place)
    }
  }
  return { places: encodePlaces(found), share: 1 }
}

interface WordHits {
  page: number
  sections: Map<number, number>
}

function decodePositions({ places }: Entry, share: number): Map<number, WordHits> {
  const found = new Map<number, WordHits>()
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

function encodePlaces(found: ReadonlyMap<number, WordHits>): number[] {
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

function intersectHits(a: Map<number, WordHits>, b: Map<number, WordHits>): Map<number, WordHits> {
  const found = new Map<number, WordHits>()
  for (const [page, one] of a) {
    const other = b.get(page)
    if (!other) continue
    const sections = new Map<number, number>()
    for (const [number, weight] of one.sections) {
      const beside = other.sections.get(number)
      if (beside !== undefined) sections.set(number, Math.min(weight, beside))
    }
    const pageWeight = Math.min(one.page, other.page)
    if (pageWeight > 0 || sections.size > 0) found.set(page, { page: pageWeight, sections })
  }
  return found
}

function mergeHits(a: WordHits, b: WordHits): WordHits {
  const sections = new Map(a.sections)
  for (const [number, weight] of b.sections) sections.set(number, Math.max(weight, sections.get(number) ?? 0))
  return { page: Math.max(a.page, b.page), sections }
}
