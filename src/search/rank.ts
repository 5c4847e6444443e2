/** Which pages fit a query best, by what the index tells of its words. */
import type { Entry } from './dictionary.ts'
import type { Meaning, Sense } from './interpret.ts'

export interface RankedPage {
  page: number
  score: number
  /** Numbers of the sections that fit, the best first. */
  sections: readonly number[]
}

const OF_PAGE = 1.5 / 31
const OF_SECTION = 1 / 15
/** What all other sections of the page add, of the best one. */
const OF_OTHERS = 0.25
/** A section of which the page says the word in its title is not made to say it again. */
const MOST_SECTIONS = 4

/** What a page says of one word of the query. */
interface Found {
  page: number
  /** Weight by section. */
  sections: Map<number, number>
}

interface Gathered {
  score: number
  /** Share of the query that stands in it, by rarity. */
  covered: number
  sections: Map<number, { score: number; covered: number }>
  ofPage: number
}

/** Best first. `weightOf`: of each page, by its number. */
export function rankPages(meanings: readonly Meaning[], weightOf: (page: number) => number): RankedPage[] {
  const told = meanings.filter(({ senses }) => senses.length > 0)
  const unknown = meanings.filter(({ senses, isFiller }) => senses.length === 0 && !isFiller).length
  const highest = Math.max(1, ...told.map(({ rarity }) => rarity))
  // A word that stands nowhere is as rare as the rarest one.
  const whole = told.reduce((sum, { rarity, isExtra }) => sum + (isExtra ? 0 : rarity), 0) + unknown * highest
  const pages = new Map<number, Gathered>()
  for (const meaning of told) {
    for (const [page, found] of foundBy(meaning.senses)) gather(pages, page, found, meaning)
  }
  return [...pages]
    .map(([page, gathered]) => ({ page, ...scored(gathered, whole), weight: weightOf(page) }))
    .map(({ page, score, sections, weight }) => ({ page, score: score * weight, sections }))
    .sort((a, b) => b.score - a.score || a.page - b.page)
}

function gather(
  pages: Map<number, Gathered>,
  page: number,
  found: Found,
  { rarity, isExtra }: Meaning,
): void {
  const covered = isExtra ? 0 : rarity
  let known = pages.get(page)
  if (!known) {
    known = { score: 0, covered: 0, sections: new Map(), ofPage: 0 }
    pages.set(page, known)
  }
  known.ofPage += found.page * rarity * OF_PAGE
  known.covered += covered
  for (const [number, weight] of found.sections) {
    const section = known.sections.get(number)
    const score = weight * rarity * OF_SECTION
    if (section) {
      section.score += score
      section.covered += covered
    } else known.sections.set(number, { score, covered })
  }
}

function scored({ covered, sections, ofPage }: Gathered, whole: number) {
  const byScore = [...sections]
    .map(([number, section]) => ({ number, score: section.score * (0.3 + (0.7 * section.covered) / whole) }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
  const best = byScore[0]?.score ?? 0
  let others = 0
  for (const { score } of byScore.slice(1, 6)) others += score
  const coverage = covered / whole
  return {
    score: (ofPage + best + OF_OTHERS * Math.min(best, others / 3)) * coverage * coverage,
    sections: byScore
      .filter(({ score }) => score > best * 0.4)
      .slice(0, MOST_SECTIONS)
      .map(({ number }) => number),
  }
}

/** Of several senses of a word the best one counts, page by page. */
function foundBy(senses: readonly Sense[]): Map<number, Found> {
  const found = new Map<number, Found>()
  for (const { entries, share } of senses) {
    const [first, ...others] = entries
    if (!first) continue
    let places = placesOf(first, share)
    for (const other of others) places = both(places, placesOf(other, share))
    for (const [page, place] of places) {
      const known = found.get(page)
      found.set(page, known ? better(known, place) : place)
    }
  }
  return found
}

function placesOf({ places }: Entry, share: number): Map<number, Found> {
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
