/** Answers queries from an index, with results grouped by page. Runs in browsers and on servers. */
import { findLastBefore, type LoadPart, openDictionary } from './dictionary.ts'
import { decodeRuns, type IndexRoot, type PageText } from './format.ts'
import { createInterpreter } from './interpret.ts'
import { createMatcher, type Highlighted, type Matcher } from './passage.ts'
import { type RankedPage, rankPages } from './rank.ts'
import { createTokenizer, type Stemmer } from './words.ts'

export interface FoundPage {
  title: Highlighted
  href: string
  trail: readonly string[]
  /** Date of the last change, `2026-03-01`. */
  updated: string | null
  /** Label of the page's version, if it differs from the reader's version. */
  version: string | null
  /** Languages with a counterpart of the page. */
  languages: readonly string[]
  /** Empty if the excerpt of a section is sufficient. */
  passage: Highlighted
  sections: { heading: Highlighted; href: string; passage: Highlighted }[]
  score: number
}

export interface SearchEngine {
  language: string
  /** True if the whole index is loaded, so that queries load nothing. */
  isWhole: boolean
  /**
   * Returns the best pages first. `version` is the label of the reader's version; null if none was chosen.
   * `most` is the maximum number of pages, 8 by default.
   */
  find(query: string, version: string | null, most?: number): Promise<FoundPage[]>
  corrections(query: string): Promise<string[]>
}

const MAX_PAGES = 8
/** Bonus for a page that contains the query as a phrase, and for phrases of four or more words. */
const PHRASE_BONUS = 0.7
const LONG_PHRASE_BONUS = 1.4
const MAX_CACHED_TEXTS = 1000
/** Number of pages whose texts are compared with the query; on a large site, these texts have to be loaded. */
const MAX_CANDIDATES = 24
const MAX_LOADED_CANDIDATES = 10

export function openSearch(root: IndexRoot, stemmer: Stemmer | null, load: LoadPart): SearchEngine {
  const tokenizer = createTokenizer(stemmer, MAX_CACHED_TEXTS)
  const interpreter = createInterpreter(openDictionary(root, load), tokenizer, root)
  const weights = Float64Array.from(decodeRuns(root.weights), (hundredths) => hundredths / 100)
  const versions = createVersionLookup(root)
  const textOf = createTextLoader(root, load)
  return {
    language: root.language,
    isWhole: root.texts !== null,
    corrections: (query) => interpreter.corrections(query),
    find: async (query, version, most = MAX_PAGES) => {
      const { terms: meanings, readings } = await interpreter.interpret(query)
      const reader = versions.numberOf(version)
      const { pages: ranked, sectionsOf } = rankPages(meanings, (page) => weights[page] ?? 1)
      const isOwn = ({ page }: RankedPage) => versions.isIn(page, reader)
      const own = ranked.filter(isOwn)
      const candidates = own.slice(0, Math.max(most, root.texts ? MAX_CANDIDATES : MAX_LOADED_CANDIDATES))
      const missing = most - candidates.length
      const others = missing > 0 ? ranked.filter((one) => !isOwn(one)).slice(0, missing * 2) : []
      const matcher = createMatcher(tokenizer, meanings, readings)
      const texts = await Promise.all([...candidates, ...others].map(({ page }) => textOf(page)))
      const scored = [...candidates, ...others].map((one, index) =>
        scoreByText(one, sectionsOf(one.page), texts[index] as PageText, matcher),
      )
      const first = scored.slice(0, candidates.length).sort(byScore)
      // Omits pages of other versions that also exist in the reader's version.
      const rest = scored
        .slice(candidates.length)
        .filter(({ text }) => !text.versions?.includes(reader ?? -1))
      return [...first, ...rest.sort(byScore)]
        .slice(0, most)
        .map((one) => createFoundPage(one, matcher, versions.labelOf(one.page, reader)))
    },
  }
}

interface ScoredPage extends RankedPage {
  sections: readonly number[]
  text: PageText
}

const byScore = (a: RankedPage, b: RankedPage) => b.score - a.score || a.page - b.page

/** Adds bonuses to the index score, for phrases from the query and for titles that equal the query. */
function scoreByText(
  ranked: RankedPage,
  sections: readonly number[],
  text: PageText,
  matcher: Matcher,
): ScoredPage {
  const shown = sections.map((number) => text.sections[number]).filter((section) => section !== undefined)
  const best = shown[0]
  const inTitle = matcher.run(text.title)
  const inSection = best ? Math.max(matcher.run(best[1]), 0.9 * matcher.run(best[2])) : 0
  const named = matcher.equals(text.title)
    ? 0.8
    : shown.some(([, heading]) => matcher.equals(heading))
      ? 0.5
      : 0
  const inRow = Math.max(inTitle, inSection)
  const share = matcher.length > 3 ? LONG_PHRASE_BONUS : PHRASE_BONUS
  return { ...ranked, sections, text, score: ranked.score * (1 + named + share * inRow * inRow) }
}

function createFoundPage(
  { text, sections, score }: ScoredPage,
  matcher: Matcher,
  version: string | null,
): FoundPage {
  const shown = sections.flatMap((number) => {
    const section = text.sections[number]
    return section && section[1] !== '' ? [section] : []
  })
  const opening = sections.map((number) => text.sections[number]).find((section) => section?.[1] === '')
  return {
    score,
    title: matcher.highlight(text.title),
    href: text.href,
    trail: text.trail,
    updated: text.updated ?? null,
    version,
    languages: text.languages ?? [],
    passage: opening || shown.length === 0 ? matcher.passage((opening ?? text.sections[0])?.[2] ?? '') : [],
    sections: shown.map(([anchor, heading, words]) => ({
      heading: matcher.highlight(heading),
      href: `${text.href}#${anchor}`,
      passage: matcher.passage(words),
    })),
  }
}

function createTextLoader(root: IndexRoot, load: LoadPart): (page: number) => Promise<PageText> {
  const { texts, textParts, folder } = root
  if (texts) return async (page) => texts[page] as PageText
  const starts = textParts.map(([first]) => first)
  return async (page) => {
    const [first, name] = textParts[findLastBefore(starts, page)] as readonly [number, string]
    const part = (await load(`${folder}${name}.js`)) as readonly PageText[]
    return part[page - first] as PageText
  }
}

function createVersionLookup({ versions }: IndexRoot) {
  const numbers = versions ? decodeRuns(versions.runs) : []
  return {
    numberOf: (label: string | null): number | null => {
      if (!versions) return null
      const number = label === null ? -1 : versions.labels.indexOf(label)
      return number < 0 ? versions.default : number
    },
    isIn: (page: number, reader: number | null): boolean => {
      const own = numbers[page] ?? []
      return reader === null || own.length === 0 || own.includes(reader)
    },
    labelOf: (page: number, reader: number | null): string | null => {
      const own = numbers[page] ?? []
      return reader === null || own.length === 0 || own.includes(reader)
        ? null
        : (versions?.labels[own[0] ?? 0] ?? null)
    },
  }
}
