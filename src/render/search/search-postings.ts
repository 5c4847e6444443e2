/**
 * Where the words of one language stand. Kept in one run of bytes while pages come in, and sorted by word at the end: ten
 * million places take sixty megabytes.
 */
import type { Word } from '../../search/words.ts'
import { type StoredWord, storedWord } from './search-lines.ts'

/** What one page says of one word. */
export interface WordPlaces {
  /** 0 to 31. */
  page: number
  /** Sixteen times the number of the section, and its weight of 1 to 15; ascending. */
  sections: number[]
}

/** Each word once, in the order in which the page has them. */
export type PageWords = readonly (readonly [Word, WordPlaces])[]

/** A word and its number in the vocabulary. */
export interface NumberedWord extends StoredWord {
  term: number
}

export interface Postings {
  /** What a page says of its words, as bytes that this vocabulary explains; good until the next call. */
  record(words: PageWords): Uint8Array
  /** In the order of the pages. */
  add(page: number, record: Uint8Array): void
  /** What the records of all pages are explained by, with that of pages that are gone. */
  vocabulary(): Vocabulary
  /** In how many pages each of its forms stands. */
  formPages(): number[]
  /** Sorted by stem. To be called once. */
  words(): NumberedWord[]
}

/** Whether a record names nothing but what the vocabulary has. */
export function isRecordOf({ stems, forms }: Vocabulary, record: Uint8Array): boolean {
  try {
    const read = createReader(record)
    for (let left = read.number(); left > 0; left--) if (read.number() >= forms.length) return false
    while (!read.isAtEnd()) {
      if (read.number() >= stems.length) return false
      for (let left = read.number() >>> 5; left > 0; left--) read.number()
    }
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Words by their numbers. */
export interface Vocabulary {
  stems: readonly string[]
  /** Each with the number of its stem. */
  forms: readonly (readonly [form: string, stem: number])[]
}

/** Of a longer page only the sections in which the word weighs most. */
const MOST_SECTIONS = 10

interface Term {
  stem: string
  /** Numbers of its forms. */
  forms: number[]
  bytes: number
  pages: number
}

interface Form {
  form: string
  term: number
  pages: number
  /** Number of the last one and one; a record may name a form twice. */
  last: number
}

/** `known` explains records of an earlier build. */
export function createPostings(known: Vocabulary = { stems: [], forms: [] }): Postings {
  const { terms, forms, numberOf } = createTerms(known)
  const log = createByteLog()
  const scratch = createByteLog()
  /** What the page in hand says, by the number of the term. */
  const places: (WordPlaces | undefined)[] = []

  const addPlace = (page: number, read: Reader) => {
    const number = read.number()
    const term = terms[number] as Term
    log.number(number)
    const start = log.length()
    log.number(page)
    const head = read.number()
    log.number(head)
    for (let left = head >>> 5; left > 0; left--) log.number(read.number())
    term.bytes += log.length() - start
    term.pages += 1
  }

  return {
    record: (words) => {
      const named: number[] = []
      scratch.clear()
      scratch.number(words.length)
      for (const [word, place] of words) {
        const form = numberOf(word)
        scratch.number(form)
        const { term } = forms[form] as Form
        const other = places[term]
        if (!other) named.push(term)
        places[term] = other ? joined(other, place) : place
      }
      for (const term of named) {
        writePlace(scratch, term, places[term] as WordPlaces)
        places[term] = undefined
      }
      return scratch.bytes()
    },
    add: (page, record) => {
      const read = createReader(record)
      for (let left = read.number(); left > 0; left--) {
        const form = forms[read.number()] as Form
        if (form.last !== page + 1) form.pages += 1
        form.last = page + 1
      }
      while (!read.isAtEnd()) addPlace(page, read)
    },
    vocabulary: () => ({
      stems: terms.map(({ stem }) => stem),
      forms: forms.map(({ form, term }) => [form, term] as const),
    }),
    formPages: () => forms.map(({ pages }) => pages),
    words: () => sortedWords(terms, forms, log),
  }
}

function sortedWords(terms: readonly Term[], forms: readonly Form[], log: ByteLog): NumberedWord[] {
  const sorted = log.byNumber(terms.map(({ bytes }) => bytes))
  return terms
    .flatMap((term, number) => {
      const used = term.pages > 0 ? usedForms(term, forms) : []
      if (used.length === 0) return []
      return [{ ...storedWord(term.stem, used, term.pages, sorted(number)), term: number }]
    })
    .sort((a, b) => (a.stem < b.stem ? -1 : 1))
}

/** Sorted. */
function usedForms(term: Term, forms: readonly Form[]): string[] {
  return term.forms.flatMap((number) => (forms[number]?.pages ? [forms[number].form] : [])).sort()
}

/** Stems and the forms of words, in the order in which they came. */
function createTerms(known: Vocabulary) {
  const terms: Term[] = known.stems.map((stem) => ({ stem, forms: [], bytes: 0, pages: 0 }))
  const byStem = new Map(known.stems.map((stem, number) => [stem, number]))
  const forms: Form[] = []
  const addForm = (form: string, term: number): number => {
    const number = forms.length
    forms.push({ form, term, pages: 0, last: 0 })
    terms[term]?.forms.push(number)
    return number
  }
  for (const [form, term] of known.forms) addForm(form, term)
  /** Of the form, by the number of the word. */
  const numbers: number[] = []
  const numberOf = (word: Word): number => {
    const before = numbers[word.id]
    if (before !== undefined) return before
    const term = byStem.get(word.stem) ?? terms.length
    if (term === terms.length) {
      terms.push({ stem: word.stem, forms: [], bytes: 0, pages: 0 })
      byStem.set(word.stem, term)
    }
    const known = terms[term]?.forms.find((number) => forms[number]?.form === word.form)
    const number = known ?? addForm(word.form, term)
    numbers[word.id] = number
    return number
  }
  return { terms, forms, numberOf }
}

function writePlace(log: ByteLog, term: number, place: WordPlaces): void {
  log.number(term)
  for (const number of placeNumbers(place)) log.number(number)
}

function placeNumbers(place: WordPlaces): number[] {
  const sections = mostOf(place.sections)
  const numbers = [sections.length * 32 + place.page]
  let last = 0
  for (const section of sections) {
    numbers.push(section - last)
    last = section - weightIn(section)
  }
  return numbers
}

/** What a page says of a stem. */
export interface StemPlace {
  forms: Set<string>
  numbers: readonly number[]
}

/** By stem. */
export function stemPlaces(words: PageWords): Map<string, StemPlace> {
  const places = new Map<string, { forms: Set<string>; place: WordPlaces }>()
  for (const [{ stem, form }, place] of words) {
    const other = places.get(stem)
    if (!other) places.set(stem, { forms: new Set([form]), place })
    else {
      other.forms.add(form)
      other.place = joined(other.place, place)
    }
  }
  return new Map(
    [...places].map(([stem, { forms, place }]) => [stem, { forms, numbers: placeNumbers(place) }]),
  )
}

/** By stem, of a record that this vocabulary explains. Throws RangeError for what is no such record. */
export function recordPlaces({ stems, forms }: Vocabulary, record: Uint8Array): Map<string, StemPlace> {
  const places = new Map<string, { forms: Set<string>; numbers: number[] }>()
  const placeOf = (term: number) => {
    const stem = stems[term]
    if (stem === undefined) throw new RangeError('a record names a word that is not there')
    const place = places.get(stem) ?? { forms: new Set(), numbers: [] }
    places.set(stem, place)
    return place
  }
  const read = createReader(record)
  for (let left = read.number(); left > 0; left--) {
    const [form, term] = forms[read.number()] ?? ['', -1]
    placeOf(term).forms.add(form)
  }
  while (!read.isAtEnd()) {
    const { numbers } = placeOf(read.number())
    const head = read.number()
    numbers.push(head)
    for (let left = head >>> 5; left > 0; left--) numbers.push(read.number())
  }
  return places
}

/** Two words of a page may have one stem. */
function joined(a: WordPlaces, b: WordPlaces): WordPlaces {
  const sections: number[] = []
  let at = 0
  for (const section of b.sections) {
    const start = section - weightIn(section)
    while (at < a.sections.length && (a.sections[at] as number) < start)
      sections.push(a.sections[at++] as number)
    const same = at < a.sections.length && (a.sections[at] as number) < start + 16
    const other = same ? weightIn(a.sections[at++] as number) : 0
    sections.push(start + Math.min(15, Math.max(weightIn(section), other) + 1))
  }
  return { page: Math.max(a.page, b.page), sections: [...sections, ...a.sections.slice(at)] }
}

function mostOf(sections: number[]): number[] {
  if (sections.length <= MOST_SECTIONS) return sections
  return sections
    .toSorted((a, b) => weightIn(b) - weightIn(a))
    .slice(0, MOST_SECTIONS)
    .sort((a, b) => a - b)
}

function weightIn(section: number): number {
  return section & 15
}

interface ByteLog {
  number(value: number): void
  length(): number
  clear(): void
  /** Good until something is added. */
  bytes(): Uint8Array
  /** Every record begins with its number, of which `sizes` says how many bytes follow all in all. */
  byNumber(sizes: readonly number[]): (number: number) => number[]
}

function createByteLog(): ByteLog {
  let bytes = new Uint8Array(1 << 16)
  let end = 0
  const number = (value: number) => {
    if (end + 5 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2)
      larger.set(bytes)
      bytes = larger
    }
    let left = value
    while (left > 127) {
      bytes[end++] = 128 | (left & 127)
      left >>>= 7
    }
    bytes[end++] = left
  }
  return {
    number,
    length: () => end,
    clear: () => {
      end = 0
    },
    bytes: () => bytes.subarray(0, end),
    byNumber: (sizes) => sortedRecords(bytes.subarray(0, end), sizes),
  }
}

/** Of the last seven bits of a number. */
const MOST_SHIFT = 28

interface Reader {
  number(): number
  isAtEnd(): boolean
}

function createReader(bytes: Uint8Array): Reader {
  let at = 0
  return {
    isAtEnd: () => at >= bytes.length,
    number: () => {
      let value = 0
      for (let shift = 0; at < bytes.length && shift <= MOST_SHIFT; shift += 7) {
        const byte = bytes[at++] as number
        value |= (byte & 127) << shift
        if (byte < 128) return value >>> 0
      }
      throw new RangeError('a record of words ends too early, or holds a number that is too large')
    },
  }
}

function sortedRecords(log: Uint8Array, sizes: readonly number[]): (number: number) => number[] {
  const starts = new Uint32Array(sizes.length + 1)
  for (const [number, size] of sizes.entries()) starts[number + 1] = (starts[number] as number) + size
  const sorted = new Uint8Array(starts[sizes.length] as number)
  const ends = starts.slice()
  let at = 0
  const next = (): number => {
    let value = 0
    let shift = 0
    for (;;) {
      const byte = log[at++] as number
      value |= (byte & 127) << shift
      if (byte < 128) return value
      shift += 7
    }
  }
  while (at < log.length) {
    const number = next()
    const start = at
    next()
    for (let left = next() >>> 5; left > 0; left--) next()
    const place = ends[number] as number
    sorted.set(log.subarray(start, at), place)
    ends[number] = place + at - start
  }
  return (number) => numbersIn(sorted.subarray(starts[number], starts[number + 1]))
}

function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const byte of bytes) {
    value |= (byte & 127) << shift
    if (byte < 128) {
      numbers.push(value)
      value = 0
      shift = 0
    } else shift += 7
  }
  return numbers
}
