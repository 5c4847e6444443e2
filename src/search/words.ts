/**
 * Splits text into searchable words. The same code runs at build time for pages and in the browser for queries,
 * without the browser's word segmentation, which differs between browsers.
 */

/** Returns the stem of a word; the word itself for unsupported languages. */
export type Stemmer = (word: string) => string

/** A normalized word, without case and accents. */
export interface Word {
  form: string
  stem: string
  /** Number of the word, unique in its cutter. */
  id: number
}

/** Longer words are treated as data. */
const LONGEST = 40
/** Scripts without spaces between words, or with attached particles; they are split into pairs of letters. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const HALVES = /[\ud800-\udfff]/
/** Matches words joined by a hyphen, a period and the like as one piece. Each caller gets a new, stateful pattern. */
export const createPieces = () => /[\p{L}\p{N}\p{M}]+(?:[-_.'’][\p{L}\p{N}\p{M}]+)*/gu
const JOINTS = /[-_.'’]/
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const ASCII = /^[\x00-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic; the marks of other scripts distinguish words. */
const ACCENTS = /[\u0300-\u036f]+/g
const MOST_PARTS = 6

/** A run of text without spaces, and the words by which it can be found. */
export interface Cut {
  text: string
  /** In order, without `whole`. */
  words: readonly Word[]
  /** `air-gapped`, `api_key` and `createUser` as a single word. */
  whole: Word | null
}

export interface Piece extends Cut {
  /** Start position in the text. */
  at: number
}

export interface Cutter {
  pieces(text: string): readonly Piece[]
  /** Splits a single piece; returns the same object for equal pieces. */
  cutOf(piece: string): Cut
  /** Returns the same object for equal words. */
  wordOf(text: string): Word
}

/** Caches words, which repeat, and up to `keptTexts` texts, which are used again while the reader types. */
export function createCutter(stemmer: Stemmer | null, keptTexts = 0): Cutter {
  const texts = new Map<string, Piece[]>()
  const known = new Map<string, Cut>()
  const words = new Map<string, Word>()
  const wordOf = (text: string): Word => {
    const lower = text.toLowerCase()
    const found = words.get(lower)
    if (found) return found
    const form = withoutAccents(lower)
    const word = {
      id: words.size,
      form,
      stem: (isStemmed(lower) && withoutAccents(stemmer?.(lower) ?? '')) || form,
    }
    words.set(lower, word)
    return word
  }
  const pairsIn = createPairs(wordOf)
  const cut = (text: string): Cut => {
    if (isPlainRun(text)) return { text, words: pairsIn(text), whole: null }
    const parts = partsOf(text)
    const isJoined = parts.length > 1 && parts.length <= MOST_PARTS && !PAIRED.test(text)
    const joined = isJoined ? parts.join('') : ''
    return {
      text,
      words: parts.filter((part) => part.length <= LONGEST).map(wordOf),
      whole: isJoined && joined.length <= LONGEST ? wordOf(joined) : null,
    }
  }
  const cutOf = (piece: string): Cut => {
    const before = known.get(piece)
    if (before) return before
    const made = cut(piece)
    known.set(piece, made)
    return made
  }
  return {
    wordOf,
    cutOf,
    pieces: (text) => {
      const before = texts.get(text)
      if (before) return before
      const pieces = Array.from(text.matchAll(createPieces()), (match) => ({
        ...cutOf(match[0]),
        at: match.index,
      }))
      if (texts.size >= keptTexts) texts.clear()
      if (keptTexts > 0) texts.set(text, pieces)
      return pieces
    },
  }
}

/** `createUser` → create, user; 環境変数 → 環境, 境変, 変数. */
function partsOf(piece: string): string[] {
  return piece
    .split(JOINTS)
    .flatMap((part) => (PAIRED.test(part) ? (part.match(RUNS) ?? []) : [part]))
    .flatMap((part) => (PAIRED.test(part) ? pairsOf(part) : part.split(HUMPS)))
}

/** Looks up pairs by their two character codes; building and looking up strings takes several times as long. */
function createPairs(wordOf: (text: string) => Word): (run: string) => Word[] {
  const pairs = new Map<number, Word>()
  return (run) =>
    Array.from({ length: run.length - 1 }, (_, at) => {
      const codes = (run.charCodeAt(at) << 16) | run.charCodeAt(at + 1)
      const before = pairs.get(codes)
      if (before) return before
      const made = wordOf(run.slice(at, at + 2))
      pairs.set(codes, made)
      return made
    })
}

/** True if the piece is split only into pairs, of letters with a single UTF-16 unit each. */
function isPlainRun(piece: string): boolean {
  return piece.length > 2 && PAIRED.test(piece) && piece.match(RUNS)?.length === 1 && !HALVES.test(piece)
}

function pairsOf(run: string): string[] {
  const letters = [...run]
  if (letters.length < 3) return [run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** False for words with digits, and for scripts without inflection by endings. */
function isStemmed(lower: string): boolean {
  return !/\p{N}/u.test(lower) && !PAIRED.test(lower)
}

/** True if the word is a pair from a text without spaces. */
export function isPair(form: string): boolean {
  return PAIRED.test(form)
}

function withoutAccents(lower: string): string {
  return ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}
