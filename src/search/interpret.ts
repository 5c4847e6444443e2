/**
 * Finds the indexed words that a query word may stand for: exact, longer, compound, split and similar words.
 */
import type { Dictionary, Entry } from './dictionary.ts'
import { isFiller } from './fillers.ts'
import { isBigram, type Tokenizer, type Word } from './words.ts'

export interface QueryTerm {
  word: Word
  /** Word with little meaning: `what`, `is`. */
  isFiller: boolean
  /** Optional word: pages with it rank higher, but pages without it do not rank lower. */
  isExtra: boolean
  rarity: number
  senses: readonly Sense[]
}

export interface Sense {
  /** Entries that must all occur in a page or section for the sense to match. */
  entries: readonly Entry[]
  /** Weight of the sense; 1 for the word itself. */
  share: number
}

/** Maximum number of query words that are looked up; the rest is ignored. */
const MAX_WORDS = 12
const MAX_LONGER_FORMS = 12
const MAX_SIMILAR_FORMS = 3
const MAX_CORRECTIONS = 5
const SHARES = { longer: 0.8, alsoLonger: 0.35, joined: 0.9, split: 0.8, alike: [0, 0.85, 0.7] } as const
const FILLER_WEIGHT = 0.15
/** Weight of a compound guessed from two separate query words. */
const GUESSED_COMPOUND_WEIGHT = 0.5
/** Weight of a compound that the query itself contains as one word. */
const WRITTEN_COMPOUND_WEIGHT = 1.5

export interface Interpretation {
  terms: readonly QueryTerm[]
  /**
   * Stems of the query in several readings: as written, and with unknown words replaced by an interpretation.
   */
  readings: readonly (readonly string[])[]
}

export interface Interpreter {
  interpret(query: string): Promise<Interpretation>
  /** Returns words of the index that are similar to the unknown words of a query. */
  corrections(query: string): Promise<string[]>
}

export function createInterpreter(
  dictionary: Dictionary,
  tokenizer: Tokenizer,
  { language, pages }: { language: string; pages: number },
): Interpreter {
  const computeRarity = (entries: readonly Entry[]) =>
    Math.log(1 + pages / Math.max(1, Math.min(...entries.map((entry) => entry.pages))))
  const sensesByWord = new Map<string, Promise<Sense[]>>()
  const loadSenses = (word: Word, isOpen: boolean): Promise<Sense[]> => {
    const key = `${word.form} ${isOpen}`
    const found = sensesByWord.get(key) ?? findSingleSenses(dictionary, tokenizer, word, isOpen)
    sensesByWord.set(key, found)
    found.catch(() => sensesByWord.delete(key))
    return found
  }
  const createTerm = (word: Word, senses: readonly Sense[], isIgnored: boolean): QueryTerm => {
    const own = senses.filter(({ share }) => share === 1)
    const rarity = Math.max(
      0,
      ...(own.length > 0 ? own : senses).map(({ entries }) => computeRarity(entries)),
    )
    return {
      word,
      isFiller: isIgnored,
      isExtra: false,
      rarity: isIgnored ? rarity * FILLER_WEIGHT : rarity,
      senses,
    }
  }
  return {
    interpret: async (query) => {
      const { words, compounds } = tokenizeQuery(tokenizer, query)
      const hasContentWord = words.some(({ form }) => !isFiller(form, language))
      const isIgnored = ({ form }: Word) => hasContentWord && isFiller(form, language)
      const isOpen = !/\s$/.test(query)
      const senses = await Promise.all(
        words.map((word, index) => {
          // A filler word alone does not justify loading a part of the index.
          if (isIgnored(word) && !dictionary.has(word.stem)) return []
          return loadSenses(word, isOpen && index === words.length - 1 && !isIgnored(word))
        }),
      )
      const foundCompounds = await findCompounds(dictionary, compounds)
      const terms = words.map((word, index) =>
        createTerm(
          word,
          [...(senses[index] ?? []), ...createCompoundSenses(foundCompounds, index)],
          isIgnored(word),
        ),
      )
      const extras = foundCompounds.map(({ whole, entry, isGuess }) => ({
        word: whole,
        isFiller: false,
        isExtra: isGuess,
        rarity: computeRarity([entry]) * (isGuess ? GUESSED_COMPOUND_WEIGHT : WRITTEN_COMPOUND_WEIGHT),
        senses: [{ entries: [entry], share: 1 }],
      }))
      return { terms: [...terms, ...extras], readings: listReadings(terms, foundCompounds) }
    },
    corrections: async (query) => {
      const { words } = tokenizeQuery(tokenizer, query)
      const corrected = await Promise.all(words.map((word) => nearestForms(dictionary, word)))
      return [...new Set(corrected.flat())].slice(0, MAX_CORRECTIONS)
    },
  }
}

interface Compound {
  whole: Word
  /** Indexes of the query words that form the compound. */
  words: readonly number[]
  /** True if the query contains the words separately. */
  isGuess: boolean
}

function tokenizeQuery(tokenizer: Tokenizer, query: string): { words: Word[]; compounds: Compound[] } {
  const words: Word[] = []
  const compounds: Compound[] = []
  for (const piece of tokenizer.pieces(query)) {
    const first = words.length
    if (first + piece.words.length > MAX_WORDS) break
    words.push(...piece.words)
    if (piece.whole)
      compounds.push({
        whole: piece.whole,
        words: piece.words.map((_, index) => first + index),
        isGuess: false,
      })
  }
  for (const [index, word] of words.entries()) {
    const next = words[index + 1]
    if (!next || isBigram(word.form) || isBigram(next.form)) continue
    compounds.push({
      whole: tokenizer.getWord(word.form + next.form),
      words: [index, index + 1],
      isGuess: true,
    })
  }
  return { words, compounds }
}

/** Finds compounds: `air gapped` may be indexed as `airgapped`. Index parts are not loaded just to test a guess. */
async function findCompounds(
  dictionary: Dictionary,
  compounds: readonly Compound[],
): Promise<(Compound & { entry: Entry })[]> {
  const found = await Promise.all(
    compounds.map(async (compound) => {
      const { stem } = compound.whole
      if (compound.isGuess && !dictionary.has(stem)) return null
      const entry = (await dictionary.loadPartFor(stem)).get(stem)
      return entry && { ...compound, entry }
    }),
  )
  return found.filter((whole) => whole !== null)
}

/** Returns the compounds that contain the word at `index`, as senses of that word. */
function createCompoundSenses(
  foundCompounds: readonly (Compound & { entry: Entry })[],
  index: number,
): Sense[] {
  return foundCompounds
    .filter(({ words }) => words.includes(index))
    .map(({ entry }) => ({ entries: [entry], share: SHARES.joined }))
}

function listReadings(
  terms: readonly QueryTerm[],
  foundCompounds: readonly (Compound & { entry: Entry })[],
): string[][] {
  const written = terms.map(({ word }) => word.stem)
  const meant = terms.map(({ word, senses: [best] }) =>
    best && !best.entries.some(({ stem }) => stem === word.stem)
      ? best.entries.map(({ stem }) => stem)
      : [word.stem],
  )
  const asOne = foundCompounds.map(({ words: [first = 0], words, entry }) => [
    ...meant.slice(0, first).flat(),
    entry.stem,
    ...meant.slice(first + words.length).flat(),
  ])
  return [written, meant.flat(), ...asOne]
}

/** `isOpen` means that the word may be incomplete. */
async function findSingleSenses(
  dictionary: Dictionary,
  tokenizer: Tokenizer,
  word: Word,
  isOpen: boolean,
): Promise<Sense[]> {
  const part = await dictionary.loadPartFor(word.stem)
  const own =
    part.get(word.stem) ?? part.startingWith(word.form).find(({ form }) => form === word.form)?.entry
  const senses: Sense[] = own ? [{ entries: [own], share: 1 }] : []
  const reaches = isBigram(word.form) ? isOpen && word.form.length === 1 : word.form.length > 1
  if (reaches && (isOpen || !own)) {
    const parts = dictionary.has(word.form) || !own ? [part, await dictionary.loadPartFor(word.form)] : [part]
    const longer = [...new Set(parts)].flatMap((one) => one.startingWith(word.form))
    senses.push(...createLongerSenses(longer, word, own ?? null))
  }
  if (own || isBigram(word.form)) return senses
  const split = await findSplitSenses(dictionary, tokenizer, word)
  if (senses.length > 0 || split.length > 0) return [...senses, ...split]
  return findSimilarSenses(dictionary, tokenizer, word)
}

function createLongerSenses(
  found: readonly { entry: Entry; form: string }[],
  { form }: Word,
  own: Entry | null,
): Sense[] {
  const share = own ? SHARES.alsoLonger : SHARES.longer
  return found
    .filter(({ entry }) => entry !== own)
    .sort((a, b) => a.form.length - b.form.length || b.entry.pages - a.entry.pages)
    .slice(0, MAX_LONGER_FORMS)
    .map(({ entry, form: longer }) => ({
      entries: [entry],
      share: share * Math.sqrt(form.length / longer.length),
    }))
}

/** Finds words that the index contains as two: `backup` may be indexed as `back up`. */
async function findSplitSenses(
  dictionary: Dictionary,
  tokenizer: Tokenizer,
  { form }: Word,
): Promise<Sense[]> {
  const senses: Sense[] = []
  for (let at = 2; at <= form.length - 2; at++) {
    const halves = [tokenizer.getWord(form.slice(0, at)), tokenizer.getWord(form.slice(at))]
    const isLikely = halves.every((half) => dictionary.frequent.has(half.form) || dictionary.has(half.stem))
    if (!isLikely) continue
    const entries = await Promise.all(
      halves.map(async ({ stem }) => (await dictionary.loadPartFor(stem)).get(stem)),
    )
    const [first, second] = entries
    if (first && second) senses.push({ entries: [first, second], share: SHARES.split })
  }
  const rarest = ({ entries }: Sense) => Math.min(...entries.map(({ pages }) => pages))
  return senses.sort((a, b) => rarest(b) - rarest(a)).slice(0, 2)
}

async function findSimilarSenses(dictionary: Dictionary, tokenizer: Tokenizer, word: Word): Promise<Sense[]> {
  const similar = await findSimilarForms(
    dictionary,
    word,
    word.form.length > 7 ? 2 : word.form.length > 3 ? 1 : 0,
  )
  const senses: Sense[] = []
  for (const { form, distance } of similar.slice(0, MAX_SIMILAR_FORMS)) {
    const { stem } = tokenizer.getWord(form)
    const part = await dictionary.loadPartFor(stem)
    const entry = part.get(stem) ?? part.startingWith(form).find((one) => one.form === form)?.entry
    const share = SHARES.alike[distance] ?? 0
    if (entry && !senses.some(({ entries }) => entries[0] === entry)) senses.push({ entries: [entry], share })
  }
  return senses
}

/**
 * Returns the nearest forms first. Typos in the first letters of a word are only found by comparing it with
 * the frequent words.
 */
async function findSimilarForms(
  dictionary: Dictionary,
  { form, stem }: Word,
  maxDistance: number,
): Promise<{ form: string; distance: number }[]> {
  if (maxDistance === 0) return []
  const part = await dictionary.loadPartFor(stem)
  const distances = new Map<string, number>()
  const compare = (other: string) => {
    if (Math.abs(other.length - form.length) > maxDistance || distances.has(other)) return
    const distance = editDistance(form, other, maxDistance)
    if (distance <= maxDistance) distances.set(other, distance)
  }
  for (const [other] of part.forms()) compare(other)
  for (const other of dictionary.frequent) compare(other)
  const sameStart = (other: string) => (other[0] === form[0] ? 0 : 1)
  return [...distances]
    .map(([other, distance]) => ({ form: other, distance }))
    .sort((a, b) => a.distance - b.distance || sameStart(a.form) - sameStart(b.form))
}

async function nearestForms(dictionary: Dictionary, word: Word): Promise<string[]> {
  if (isBigram(word.form) || word.form.length < 3) return []
  const similar = await findSimilarForms(dictionary, word, Math.min(4, Math.ceil(word.form.length / 3)))
  return similar.slice(0, 3).map(({ form }) => form)
}

/**
 * Returns the edit distance of two words; a transposition of neighboring letters counts once. Returns early
 * with a larger number if the distance exceeds `maxDistance`.
 */
function editDistance(a: string, b: string, maxDistance: number): number {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let rowMinimum = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      )
      const isSwapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isSwapped) cost = Math.min(cost, (before[j - 2] as number) + 1)
      row.push(cost)
      rowMinimum = Math.min(rowMinimum, cost)
    }
    if (rowMinimum > maxDistance) return maxDistance + 1
    before = last
    last = row
  }
  return last[b.length] as number
}
