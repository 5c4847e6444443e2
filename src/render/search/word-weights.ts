/** Weight of each word of a page: title before heading before path before text. */
import { isFiller } from '../../search/fillers.ts'
import { createPieces, isBigram, type Token, type Tokenizer, type Word } from '../../search/words.ts'
import type { SearchPage } from './search-pages.ts'
import type { PageWords, WordPositions } from './search-postings.ts'

/** Weight of a word by its location, as a fraction of the maximum weight in the page or section. */
const SHARES = { title: 0.8, keywords: 0.5, path: 0.25, description: 0.2, heading: 0.65, text: 0.55 }
const PAGE_WEIGHT = 31
const SECTION_WEIGHT = 15
const TYPICAL_SECTION_WORDS = 80
/** Maximum length at which two adjacent words are also indexed as one: "back up" as "backup". */
const MAX_PAIR_LENGTH = 24

export interface WeighedPage
  extends Pick<SearchPage, 'language' | 'title' | 'route' | 'description' | 'keywords' | 'sections'> {}

export interface WordScale {
  weigh(page: WeighedPage): PageWords
}

export function createWordScale(tokenizer: Tokenizer): WordScale {
  const tally = createTally()
  const positions = createPositionTable()
  return { weigh: (page) => weighWords(tokenizer, { tally, positions }, page) }
}

function weighWords(
  tokenizer: Tokenizer,
  { tally, positions }: { tally: Tally; positions: PositionTable },
  page: WeighedPage,
): PageWords {
  const getPositions = positions.of
  const raise = (shares: ReadonlyMap<Word, number>, share: number) => {
    for (const [word, part] of shares) {
      const weights = getPositions(word)
      weights.page = Math.min(PAGE_WEIGHT, weights.page + Math.round(PAGE_WEIGHT * share * part))
    }
  }
  const named = (text: string) => computeNamingShares(tokenizer, text, page.language)
  raise(named(page.title), SHARES.title)
  raise(named(page.description), SHARES.description)
  raise(named(page.route.replaceAll('/', ' ')), SHARES.path)
  for (const keyword of page.keywords) raise(named(keyword), SHARES.keywords)
  for (const [number, section] of page.sections.entries()) {
    const headings = named(section.title ?? '')
    const text = number === 0 ? `${page.description} ${section.text}` : section.text
    const length = countWords(tokenizer, text, tally)
    const weigh = (word: Word, inHeading: number) => {
      const inText = tally.count(word)
      const often = inText / (inText + 0.4 + (0.6 * length) / TYPICAL_SECTION_WORDS)
      const share = SHARES.heading * inHeading + SHARES.text * often
      const weight = Math.max(1, Math.min(SECTION_WEIGHT, Math.round(SECTION_WEIGHT * share)))
      getPositions(word).sections.push(number * 16 + weight)
    }
    for (const [word, share] of headings) weigh(word, share)
    for (const word of tally.words()) if (!headings.has(word)) weigh(word, 0)
    tally.clear()
  }
  return positions.drain()
}

interface PositionTable {
  of(word: Word): WordPositions
  drain(): PageWords
}

function createPositionTable(): PositionTable {
  const byNumber: (WordPositions | undefined)[] = []
  let words: [Word, WordPositions][] = []
  return {
    of: (word) => {
      const existing = byNumber[word.id]
      if (existing) return existing
      const weights = { page: 0, sections: [] }
      // Filled without gaps, so that the array stays dense.
      while (byNumber.length < word.id) byNumber.push(undefined)
      byNumber[word.id] = weights
      words.push([word, weights])
      return weights
    },
    drain: () => {
      const taken = words
      for (const [{ id }] of taken) byNumber[id] = undefined
      words = []
      return taken
    },
  }
}

/** Returns the share of each word in a title or similar text: the fewer words, the more each one counts. */
function computeNamingShares(tokenizer: Tokenizer, text: string, language: string): Map<Word, number> {
  const shares = new Map<Word, number>()
  const pieces = listTokens(tokenizer, text)
  const words = pieces.flatMap((piece) => piece.words)
  const significantCount = words.filter(({ form }) => !isFiller(form, language)).length
  const share = 1 / (0.6 + 0.4 * Math.max(1, significantCount))
  for (const word of words)
    shares.set(word, isFiller(word.form, language) && significantCount > 0 ? share / 3 : share)
  const wholes = pieces.flatMap(({ whole }) => (whole ? [whole] : []))
  for (const word of [...wholes, ...neighbours(tokenizer, pieces)]) {
    if (!shares.has(word)) shares.set(word, share)
  }
  return shares
}

function neighbours(tokenizer: Tokenizer, pieces: readonly Token[]): Word[] {
  const simple = pieces.map(({ words }) => (words.length === 1 ? (words[0] as Word) : null))
  return simple.flatMap((word, index) => {
    const next = simple[index + 1]
    if (!word || !next || isBigram(word.form) || isBigram(next.form)) return []
    const both = word.form + next.form
    return both.length <= MAX_PAIR_LENGTH ? [tokenizer.getWord(both)] : []
  })
}

function countWords(tokenizer: Tokenizer, text: string, tally: Tally): number {
  let length = 0
  for (const { words, whole } of listTokens(tokenizer, text)) {
    length += words.length
    for (const word of words) tally.add(word)
    if (whole) tally.add(whole)
  }
  return length
}

function listTokens(tokenizer: Tokenizer, text: string): Token[] {
  return (text.match(createPieces()) ?? []).map(tokenizer.getToken)
}

/** Counts words by number, for speed: a large site has millions of them. */
interface Tally {
  add(word: Word): void
  count(word: Word): number
  /** In order of first appearance. */
  words(): readonly Word[]
  clear(): void
}

function createTally(): Tally {
  let counts = new Uint32Array(1 << 14)
  let words: Word[] = []
  return {
    add: (word) => {
      if (word.id >= counts.length) {
        const larger = new Uint32Array(Math.max(word.id + 1, counts.length * 2))
        larger.set(counts)
        counts = larger
      }
      const count = counts[word.id] as number
      counts[word.id] = count + 1
      if (count === 0) words.push(word)
    },
    count: ({ id }) => counts[id] ?? 0,
    words: () => words,
    clear: () => {
      for (const { id } of words) counts[id] = 0
      words = []
    },
  }
}
