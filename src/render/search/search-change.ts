/** The words of an index in which a few pages have changed, from the ledger of the last one. */
import type { LedgerLanguage } from './search-ledger.ts'
import {
  codeOfLine,
  formOfLine,
  pagesOfCode,
  pagesOfLine,
  placesOfCode,
  type StoredWord,
  storedWord,
} from './search-lines.ts'
import { frequentWords } from './search-parts.ts'
import { type PageWords, recordPlaces, type StemPlace, stemPlaces } from './search-postings.ts'

/** A page in the place of another one. */
export interface PageChange {
  /** Number of the page. */
  page: number
  words: PageWords
}

export interface ChangedLine {
  stem: string
  line: string
  /** Number of the line in the ledger; null for one that is not there, or not so. */
  before: number | null
}

/** Sorted by stem. Throws RangeError for a ledger that contradicts itself. */
export function changeLines(ledger: LedgerLanguage, changes: readonly PageChange[]): ChangedLine[] {
  const find = lineFinder(ledger)
  const changed = new Map<number, StoredWord | null>()
  const added: StoredWord[] = []
  const stems = changedStems(ledger, changes)
  const forms = formsOf(ledger, stems)
  for (const [stem, places] of stems) {
    const line = find(stem)
    const word = changedWord(ledger, { stem, line, forms: forms.get(stem) ?? new Map(), places })
    if (line !== null) changed.set(line, word)
    else if (word !== null) added.push(word)
  }
  added.sort((a, b) => (a.stem < b.stem ? -1 : 1))
  return mergedLines(ledger, changed, added)
}

/** What several pages said of a stem, and say of it now, by the number of the page. */
type StemChanges = Map<number, { before: StemPlace | null; now: StemPlace | null }>

/** Without stems of which each page says what it said. */
function changedStems(ledger: LedgerLanguage, changes: readonly PageChange[]): Map<string, StemChanges> {
  const stems = new Map<string, StemChanges>()
  for (const { page, words } of changes) {
    const before = recordPlaces(ledger.vocabulary, ledger.recordOf(page))
    const now = stemPlaces(words)
    for (const stem of new Set([...before.keys(), ...now.keys()])) {
      const change = { before: before.get(stem) ?? null, now: now.get(stem) ?? null }
      if (isSamePlace(change.before, change.now)) continue
      const pages: StemChanges = stems.get(stem) ?? new Map()
      stems.set(stem, pages.set(page, change))
    }
  }
  return stems
}

function isSamePlace(one: StemPlace | null, other: StemPlace | null): boolean {
  if (one === null || other === null) return one === other
  return (
    one.numbers.length === other.numbers.length &&
    one.numbers.every((number, at) => number === other.numbers[at]) &&
    one.forms.size === other.forms.size &&
    [...one.forms].every((form) => other.forms.has(form))
  )
}

/** By stem: in how many pages each of its forms stands. */
function formsOf(
  { vocabulary, formPages }: LedgerLanguage,
  wanted: ReadonlyMap<string, unknown>,
): Map<string, Map<string, number>> {
  const isWanted = vocabulary.stems.map((stem) => wanted.has(stem))
  const found = new Map<string, Map<string, number>>()
  for (const [number, [form, term]] of vocabulary.forms.entries()) {
    if (!isWanted[term]) continue
    const stem = vocabulary.stems[term] as string
    const forms = found.get(stem) ?? new Map<string, number>()
    found.set(stem, forms.set(form, formPages[number] as number))
  }
  return found
}

/** Null when no page has it any longer. */
function changedWord(
  { lines, wholes, names }: LedgerLanguage,
  word: { stem: string; line: number | null; forms: Map<string, number>; places: StemChanges },
): StoredWord | null {
  const { stem, line, forms } = word
  const code = line === null ? null : (wholes.get(line) ?? codeOfLine(lines[line] as string))
  const places = code === null ? [] : placesOfCode(code)
  let pages = code === null ? 0 : pagesOfCode(code)
  for (const [page, { before, now }] of word.places) {
    for (const form of before?.forms ?? []) forms.set(form, (forms.get(form) ?? 0) - 1)
    for (const form of now?.forms ?? []) forms.set(form, (forms.get(form) ?? 0) + 1)
    const [wasThere, isThere] = [before, now].map((one) => one !== null && one.numbers.length > 0)
    if (replacePlace(places, page, now?.numbers ?? []) !== wasThere)
      throw new RangeError('a word is not where the record of the page says')
    pages += Number(isThere) - Number(wasThere)
  }
  const used = [...forms].flatMap(([form, count]) => (count > 0 ? [form] : [])).sort()
  if (pages > names.length) throw new RangeError('a word stands in more pages than there are')
  return pages > 0 && used.length > 0 ? storedWord(stem, used, pages, places) : null
}

/** Whether there was one of this page. */
function replacePlace(places: number[], page: number, numbers: readonly number[]): boolean {
  let at = 0
  while (at < places.length && (places[at] as number) < page) at += 2 + ((places[at + 1] as number) >>> 5)
  const isThere = places[at] === page
  const size = isThere ? 2 + ((places[at + 1] as number) >>> 5) : 0
  places.splice(at, size, ...(numbers.length > 0 ? [page, ...numbers] : []))
  return isThere
}

function lineFinder({ vocabulary, terms }: LedgerLanguage): (stem: string) => number | null {
  const stemAt = (line: number) => vocabulary.stems[terms[line] as number] as string
  return (stem) => {
    let [low, high] = [0, terms.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (stemAt(middle) < stem) low = middle + 1
      else high = middle
    }
    return low < terms.length && stemAt(low) === stem ? low : null
  }
}

function mergedLines(
  { vocabulary, terms, lines }: LedgerLanguage,
  changed: ReadonlyMap<number, StoredWord | null>,
  added: readonly StoredWord[],
): ChangedLine[] {
  const merged: ChangedLine[] = []
  let next = 0
  const addUpTo = (stem: string | null) => {
    for (let word = added[next]; word && (stem === null || word.stem < stem); word = added[++next])
      merged.push({ stem: word.stem, line: word.line, before: null })
  }
  for (const [number, line] of lines.entries()) {
    const stem = vocabulary.stems[terms[number] as number] as string
    addUpTo(stem)
    const word = changed.get(number)
    if (word === undefined) merged.push({ stem, line, before: number })
    else if (word !== null) merged.push({ stem, line: word.line, before: null })
  }
  addUpTo(null)
  return merged
}

/** As the last index has told of them, unless they have changed. */
export function frequentLines(lines: readonly ChangedLine[]): string {
  return frequentWords(
    lines.map(({ line }) => pagesOfLine(line)),
    (number) => {
      const { stem, line } = lines[number] as ChangedLine
      return formOfLine(stem, line)
    },
  )
}

/** Where parts begin and end, and the digest of each that the last index had. */
export interface PartSpan {
  start: number
  end: number
  digest: string | null
}

/** `before`: what each one was in the ledger. */
export function spansOf(
  starts: readonly number[],
  before: readonly (number | null)[],
  last: { parts: LedgerLanguage['wordParts']; count: number },
): PartSpan[] {
  const known = new Map(
    last.parts.map(([digest, start], part) => [
      start,
      { digest, end: last.parts[part + 1]?.[1] ?? last.count },
    ]),
  )
  return starts.map((start, part) => {
    const end = starts[part + 1] ?? before.length
    const own = before.slice(start, end)
    const same = own[0] === null ? undefined : known.get(own[0] as number)
    // They ascend: as many as there were, from the first to the last, are all of them.
    const isSame = same?.end === (own[0] as number) + own.length && own.at(-1) === same.end - 1
    return { start, end, digest: isSame && !own.includes(null) ? (same?.digest ?? null) : null }
  })
}
