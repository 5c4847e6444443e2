/** Excerpts around matches, and the similarity of a text to the query. */
import type { QueryTerm } from './interpret.ts'
import type { Piece, Tokenizer, Word } from './words.ts'

/** Pieces of a text, alternately outside and inside a match. */
export type Highlighted = readonly string[]

const MAX_PASSAGE_CHARACTERS = 170
const MAX_WORDS = 2000

export interface Matcher {
  length: number
  highlight(text: string): Highlighted
  /**
   * Returns the part of the text with the most matches, which are marked; the beginning if there are none.
   */
  passage(text: string): Highlighted
  /** Returns the length of the longest exact phrase from the query in the text, as a fraction from 0 to 1. */
  run(text: string): number
  /** Returns true if the text consists of exactly the words of the query. */
  equals(text: string): boolean
}

export function createMatcher(
  tokenizer: Tokenizer,
  terms: readonly QueryTerm[],
  readings: readonly (readonly string[])[],
): Matcher {
  const weights = computeWeights(terms)
  const words = terms.filter(({ isExtra }) => !isExtra)
  const fillers = new Set(words.filter(({ isFiller }) => isFiller).map(({ word }) => word.stem))
  const withoutFillers = (stems: readonly string[]) => stems.filter((stem) => !fillers.has(stem)).join(' ')
  const asked = readings.map(withoutFillers)
  const last = words.at(-1)?.word.form ?? ''
  const weighWord = ({ form, stem }: Word): number =>
    weights.get(stem) ?? weights.get(form) ?? (last.length > 1 && form.startsWith(last) ? 1 : 0)
  const weighPiece = ({ words, whole }: Piece) =>
    Math.max(0, whole ? weighWord(whole) : 0, ...words.map(weighWord))
  // Fast check by the first two letters. Only a word that starts like a query word can be the first half of one.
  const starts = new Set([...weights.keys()].map((stem) => stem.slice(0, 2)))
  const weighPair = (first: Word, second: Word) =>
    starts.has(first.form.slice(0, 2)) ? weighWord(tokenizer.getWord(first.form + second.form)) : 0
  const hitsIn = (text: string) => findHits(tokenizer.pieces(text), weighPiece, weighPair)
  const highlight = (text: string) => highlightHits(text, hitsIn(text), last)
  return {
    length: words.length,
    highlight,
    passage: (text) => highlight(cutDensestPart(text, hitsIn(text))),
    run: (text) => {
      const stems = listStems(tokenizer, text).slice(0, MAX_WORDS)
      return Math.max(0, ...readings.map((reading) => longestRun(reading, stems)))
    },
    equals: (text) => {
      const content = withoutFillers(listStems(tokenizer, text))
      return content !== '' && asked.includes(content)
    },
  }
}

function listStems(tokenizer: Tokenizer, text: string): string[] {
  return tokenizer.pieces(text).flatMap(({ words }) => words.map(({ stem }) => stem))
}

function computeWeights(terms: readonly QueryTerm[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  const raise = (stem: string, weight: number) => weights.set(stem, Math.max(weight, weights.get(stem) ?? 0))
  for (const { word, senses, rarity, isFiller } of terms) {
    if (isFiller) continue
    raise(word.stem, rarity)
    for (const { entries, share } of senses) for (const { stem } of entries) raise(stem, rarity * share)
  }
  return weights
}

interface Hit {
  piece: Piece
  weight: number
}

/** Finds the matches in a text, including `Back up` for `backup`. */
function findHits(
  pieces: readonly Piece[],
  weighPiece: (piece: Piece) => number,
  weighPair: (first: Word, second: Word) => number,
): Hit[] {
  const weights = pieces.map(weighPiece)
  for (const [index, piece] of pieces.entries()) {
    const next = pieces[index + 1]
    const [word] = piece.words
    const [nextWord] = next?.words ?? []
    if (!word || !nextWord || weights[index] !== 0) continue
    const weight = weighPair(word, nextWord)
    if (weight === 0) continue
    weights[index] = weight
    weights[index + 1] = Math.max(weight, weights[index + 1] as number)
  }
  return pieces.flatMap((piece, index) => {
    const weight = weights[index] as number
    return weight > 0 ? [{ piece, weight }] : []
  })
}

function highlightHits(text: string, hits: readonly Hit[], last: string): Highlighted {
  const highlighted: string[] = []
  let end = 0
  for (const { piece } of hits) {
    const [start, length] = locateHighlight(piece, last)
    const from = piece.at + start
    highlighted.push(text.slice(end, from), text.slice(from, from + length))
    end = from + length
  }
  return [...highlighted, text.slice(end)]
}

/** Returns the range to highlight: the whole piece, or only the query term in a text without spaces. */
function locateHighlight({ text, words }: Piece, last: string): [start: number, length: number] {
  const isLong = words.length > 2 && [...text].length > words.length
  const at = isLong && last !== '' ? text.toLowerCase().indexOf(last) : -1
  return at < 0 ? [0, text.length] : [at, last.length]
}

function cutDensestPart(text: string, hits: readonly Hit[]): string {
  if (text.length <= MAX_PASSAGE_CHARACTERS) return text
  let best = { weight: 0, at: 0 }
  for (const [index, { piece: first }] of hits.entries()) {
    const seen = new Map<string, number>()
    for (let i = index; i < hits.length; i++) {
      const { piece, weight } = hits[i] as Hit
      if (piece.at + piece.text.length > first.at + MAX_PASSAGE_CHARACTERS - 40) break
      seen.set(piece.words[0]?.stem ?? '', weight)
    }
    const weight = [...seen.values()].reduce((sum, one) => sum + one, 0)
    if (weight > best.weight) best = { weight, at: first.at }
    if (index > 400) break
  }
  const start = best.at < 50 ? 0 : wordStart(text, best.at - 40)
  const cut = text.slice(start, start + MAX_PASSAGE_CHARACTERS)
  const space = start + MAX_PASSAGE_CHARACTERS < text.length ? cut.lastIndexOf(' ') : -1
  const end = space > MAX_PASSAGE_CHARACTERS / 2 ? space : cut.length
  const isEnd = start + end >= text.length
  return `${start > 0 ? '…' : ''}${cut.slice(0, end).toWellFormed()}${isEnd ? '' : '…'}`
}

function wordStart(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at < 30 ? space + 1 : at
}

function longestRun(asked: readonly string[], words: readonly string[]): number {
  if (asked.length === 0) return 0
  let longest = 0
  for (let at = 0; at < words.length; at++) {
    for (let from = 0; from < asked.length; from++) {
      if (words[at] !== asked[from]) continue
      let run = 1
      while (from + run < asked.length && words[at + run] === asked[from + run]) run += 1
      if (run > longest) longest = run
    }
  }
  return longest / asked.length
}
