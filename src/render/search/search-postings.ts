/**
 * Occurrences of all words of a language. They are appended to a byte buffer page by page and sorted by word at the
 * end: ten million occurrences take sixty megabytes.
 */
import type { Word } from '../../search/words.ts'
import { createStoredWord, type StoredWord } from './search-lines.ts'

export interface WordPositions {
  /** Weight in the page, 0 to 31. */
  page: number
  /** 16 × section number + weight in the section (1 to 15), in ascending order. */
  sections: number[]
}

/** Each word once, in order of appearance. */
export type PageWords = readonly (readonly [Word, WordPositions])[]

export interface Postings {
  /** Must be called in page order. */
  add(page: number, words: PageWords): void
  /** Returns the words sorted by stem. Must be called only once. */
  words(): StoredWord[]
}

/** Maximum number of sections indexed per word and page: those in which the word has the highest weight. */
const MAX_SECTIONS = 10

interface Term {
  stem: string
  forms: Set<string>
  bytes: number
  pages: number
}

export function createPostings(): Postings {
  const terms: Term[] = []
  const termOf = createTermNumbers(terms)
  const log = createByteLog()
  const positions: (WordPositions | undefined)[] = []
  return {
    add: (page, words) => {
      const named: number[] = []
      for (const [word, position] of words) {
        const number = termOf(word)
        const other = positions[number]
        if (!other) named.push(number)
        positions[number] = other ? mergePositions(other, position) : position
      }
      for (const number of named) {
        const term = terms[number] as Term
        log.number(number)
        const start = log.length()
        log.number(page)
        for (const part of positionNumbers(positions[number] as WordPositions)) log.number(part)
        term.bytes += log.length() - start
        term.pages += 1
        positions[number] = undefined
      }
    },
    words: () => {
      const positionsOf = log.byNumber(terms.map(({ bytes }) => bytes))
      return terms
        .map(({ stem, forms, pages }, number) =>
          createStoredWord(stem, [...forms].sort(), pages, positionsOf(number)),
        )
        .sort((a, b) => (a.stem < b.stem ? -1 : 1))
    },
  }
}

function createTermNumbers(terms: Term[]): (word: Word) => number {
  const byStem = new Map<string, number>()
  const byWord: number[] = []
  return (word) => {
    const before = byWord[word.id]
    if (before !== undefined) return before
    const number = byStem.get(word.stem) ?? terms.length
    if (number === terms.length) {
      terms.push({ stem: word.stem, forms: new Set(), bytes: 0, pages: 0 })
      byStem.set(word.stem, number)
    }
    terms[number]?.forms.add(word.form)
    byWord[word.id] = number
    return number
  }
}

function positionNumbers(position: WordPositions): number[] {
  const sections = findHeaviestSections(position.sections)
  const numbers = [sections.length * 32 + position.page]
  let last = 0
  for (const section of sections) {
    numbers.push(section - last)
    last = section - readWeight(section)
  }
  return numbers
}

function mergePositions(a: WordPositions, b: WordPositions): WordPositions {
  const sections: number[] = []
  let at = 0
  for (const section of b.sections) {
    const start = section - readWeight(section)
    while (at < a.sections.length && (a.sections[at] as number) < start)
      sections.push(a.sections[at++] as number)
    const same = at < a.sections.length && (a.sections[at] as number) < start + 16
    const other = same ? readWeight(a.sections[at++] as number) : 0
    sections.push(start + Math.min(15, Math.max(readWeight(section), other) + 1))
  }
  return { page: Math.max(a.page, b.page), sections: [...sections, ...a.sections.slice(at)] }
}

function findHeaviestSections(sections: number[]): number[] {
  if (sections.length <= MAX_SECTIONS) return sections
  return sections
    .toSorted((a, b) => readWeight(b) - readWeight(a))
    .slice(0, MAX_SECTIONS)
    .sort((a, b) => a - b)
}

function readWeight(section: number): number {
  return section & 15
}

interface ByteLog {
  number(value: number): void
  length(): number
  /** Groups records by their first number. `sizes` lists, for each number, the total bytes of its records. */
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
    byNumber: (sizes) => sortRecords(bytes.subarray(0, end), sizes),
  }
}

function sortRecords(log: Uint8Array, sizes: readonly number[]): (number: number) => number[] {
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
    const position = ends[number] as number
    sorted.set(log.subarray(start, at), position)
    ends[number] = position + at - start
  }
  return (number) => decodeNumbers(sorted.subarray(starts[number], starts[number + 1]))
}

function decodeNumbers(bytes: Uint8Array): number[] {
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
