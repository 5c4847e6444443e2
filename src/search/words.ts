/**
 * How text becomes the words that are searched. Pages are cut at build and queries in the reader's browser: both read
 * it here, and neither asks a dictionary, which differs from browser to browser.
 */

/** The root of a word of one language; the word itself where nothing is known of the language. */
export type Stemmer = (word: string) => string

/** One word of a text, as it is compared: without case and accents. */
export interface Word {
  form: string
  stem: string
  /** Its number among those of its cutter. */
  id: number
}

/** Longer runs of letters are data. */
const LONGEST = 40
/** Scripts whose words are not told apart by spaces, or carry their particles with them: cut into pairs of letters. */
const PAIRED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const HALVES = /[\ud800-\udfff]/
/** Words that a hyphen, a point or the like joins are one piece. A pattern of its own for each, as it remembers where it stands. */
export const createPieces = () => /[\p{L}\p{N}\p{M}]+(?:[-_.'’][\p{L}\p{N}\p{M}]+)*/gu
const JOINTS = /[-_.'’]/
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const ASCII = /^[\x00-\x7f]*$/
/** Latin, Greek and Cyrillic accents; the marks of other scripts tell words apart. */
const ACCENTS = /[\u0300-\u036f]+/g
const MOST_PARTS = 6

/** A run of text that no space divides, and the words that it is found by. */
export interface Cut {
  text: string
  /** In order, without the whole. */
  words: readonly Word[]
  /** `air-gapped`, `api_key` and `createUser` are also one word. */
  whole: Word | null
}

export interface Piece extends Cut {
  /** Where it begins. */
  at: number
}

export interface Cutter {
  pieces(text: string): readonly Piece[]
  /** Of one piece; the same object for the same piece. */
  cutOf(piece: string): Cut
  /** The same object for the same word. */
  wordOf(text: string): Word
}

/** Remembers words, which repeat, and so many texts, which are looked at again while somebody types. */
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

/** Known by the codes of their two letters: to make a text of them and look for that takes several times as long. */
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

/** Whether it is cut into pairs alone, of letters that are one unit of UTF-16 each. */
function isPlainRun(piece: string): boolean {
  return piece.length > 2 && PAIRED.test(piece) && piece.match(RUNS)?.length === 1 && !HALVES.test(piece)
}

function pairsOf(run: string): string[] {
  const letters = [...run]
  if (letters.length < 3) return [run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** What holds digits or no letters of a script with cases and endings has no root. */
function isStemmed(lower: string): boolean {
  return !/\p{N}/u.test(lower) && !PAIRED.test(lower)
}

/** Whether the word is one of the pairs that a text without spaces is cut into. */
export function isPair(form: string): boolean {
  return PAIRED.test(form)
}

function withoutAccents(lower: string): string {
  return ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}
