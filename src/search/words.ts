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
  /** Number of the word, unique within its tokenizer. */
  id: number
}

/** Longer words are considered data, such as hashes, and are not indexed. */
const MAX_WORD_LENGTH = 40
/** Scripts without spaces between words, or with attached particles; they are split into pairs of letters. */
const BIGRAM_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
const SURROGATES = /[\ud800-\udfff]/
/** Matches words joined by a hyphen, a period and the like as one piece. Each caller gets a new, stateful pattern. */
export const createPieces = () => /[\p{L}\p{N}\p{M}]+(?:[-_.'’][\p{L}\p{N}\p{M}]+)*/gu
const WORD_JOINERS = /[-_.'’]/
const CASE_BOUNDARIES = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const ASCII = /^[\x00-\x7f]*$/
/** Accents of Latin, Greek and Cyrillic; the marks of other scripts distinguish words. */
const ACCENTS = /[\u0300-\u036f]+/g
const MAX_PARTS = 6

/** A run of text without spaces, and the words by which it can be found. */
export interface Token {
  text: string
  /** Words in order, without `whole`. */
  words: readonly Word[]
  /** The whole token as a single word, such as `air-gapped`, `api_key` or `createUser`. */
  whole: Word | null
}

export interface Piece extends Token {
  at: number
}

export interface Tokenizer {
  pieces(text: string): readonly Piece[]
  /** Splits a single piece; returns the same object for equal pieces. */
  getToken(piece: string): Token
  /** Returns the same object for equal words. */
  getWord(text: string): Word
}

/**
 * Caches all words, and up to `maxCachedTexts` texts, which are tokenized repeatedly while the reader types.
 */
export function createTokenizer(stemmer: Stemmer | null, maxCachedTexts = 0): Tokenizer {
  const texts = new Map<string, Piece[]>()
  const tokens = new Map<string, Token>()
  const words = new Map<string, Word>()
  const getWord = (text: string): Word => {
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
  const pairsIn = createBigramReader(getWord)
  const tokenize = (text: string): Token => {
    if (isPlainRun(text)) return { text, words: pairsIn(text), whole: null }
    const parts = splitPiece(text)
    const isJoined = parts.length > 1 && parts.length <= MAX_PARTS && !BIGRAM_SCRIPTS.test(text)
    const joined = isJoined ? parts.join('') : ''
    return {
      text,
      words: parts.filter((part) => part.length <= MAX_WORD_LENGTH).map(getWord),
      whole: isJoined && joined.length <= MAX_WORD_LENGTH ? getWord(joined) : null,
    }
  }
  const getToken = (piece: string): Token => {
    const before = tokens.get(piece)
    if (before) return before
    const made = tokenize(piece)
    tokens.set(piece, made)
    return made
  }
  return {
    getWord,
    getToken,
    pieces: (text) => {
      const before = texts.get(text)
      if (before) return before
      const pieces = Array.from(text.matchAll(createPieces()), (match) => ({
        ...getToken(match[0]),
        at: match.index,
      }))
      if (texts.size >= maxCachedTexts) texts.clear()
      if (maxCachedTexts > 0) texts.set(text, pieces)
      return pieces
    },
  }
}

/** Splits a piece: `createUser` → create, user; 環境変数 → 環境, 境変, 変数. */
function splitPiece(piece: string): string[] {
  return piece
    .split(WORD_JOINERS)
    .flatMap((part) => (BIGRAM_SCRIPTS.test(part) ? (part.match(RUNS) ?? []) : [part]))
    .flatMap((part) => (BIGRAM_SCRIPTS.test(part) ? createBigrams(part) : part.split(CASE_BOUNDARIES)))
}

/**
 * Looks up pairs by two character codes, because building and looking up strings takes several times as long.
 */
function createBigramReader(getWord: (text: string) => Word): (run: string) => Word[] {
  const pairs = new Map<number, Word>()
  return (run) =>
    Array.from({ length: run.length - 1 }, (_, at) => {
      const codes = (run.charCodeAt(at) << 16) | run.charCodeAt(at + 1)
      const before = pairs.get(codes)
      if (before) return before
      const made = getWord(run.slice(at, at + 2))
      pairs.set(codes, made)
      return made
    })
}

/** Returns true if the piece is only split into letter pairs, and each letter is a single UTF-16 unit. */
function isPlainRun(piece: string): boolean {
  return (
    piece.length > 2 &&
    BIGRAM_SCRIPTS.test(piece) &&
    piece.match(RUNS)?.length === 1 &&
    !SURROGATES.test(piece)
  )
}

function createBigrams(run: string): string[] {
  const letters = [...run]
  if (letters.length < 3) return [run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

/** Returns false for words with digits, and for scripts without inflectional endings. */
function isStemmed(lower: string): boolean {
  return !/\p{N}/u.test(lower) && !BIGRAM_SCRIPTS.test(lower)
}

export function isBigram(form: string): boolean {
  return BIGRAM_SCRIPTS.test(form)
}

function withoutAccents(lower: string): string {
  return ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
}
