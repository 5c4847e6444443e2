/**
 * What an index keeps of the files that it has made, so that the next one changes those which a few changed pages have a
 * part in, and no others. In one run of bytes, which may be anybody's when it is read again.
 */
import type { Vocabulary } from './search-postings.ts'

/** Of a language whose words and texts are in parts. */
export interface LedgerLanguage {
  language: string
  /** What each page was made of, in their order, and how many characters its text has. */
  names: readonly string[]
  sizes: readonly number[]
  /** The digest of each part, and the page or line that it begins with. */
  textParts: readonly PartStart[]
  wordParts: readonly PartStart[]
  /** Explains the records. */
  vocabulary: Vocabulary
  /** In how many pages each form stands. */
  formPages: readonly number[]
  /** Number of the stem of each line, in their order. */
  terms: readonly number[]
  lines: readonly string[]
  /** Codes of lines that leave pages out, with all pages. */
  wholes: ReadonlyMap<number, string>
  /** What a page says of its words. */
  recordOf(page: number): Uint8Array
}

export type PartStart = readonly [digest: string, start: number]

/** What of a language is plain data. */
interface Head {
  language: string
  names: readonly string[]
  sizes: readonly number[]
  textParts: readonly PartStart[]
  wordParts: readonly PartStart[]
  stems: readonly string[]
  forms: readonly string[]
  formTerms: readonly number[]
  formPages: readonly number[]
  terms: readonly number[]
  lines: readonly string[]
  wholes: readonly (readonly [number, string])[]
  /** Bytes of each record. */
  records: readonly number[]
}

const LENGTH_BYTES = 4

export function packLedger(languages: readonly LedgerLanguage[]): Uint8Array {
  const records: Uint8Array[] = []
  const heads = languages.map(({ vocabulary, wholes, recordOf, ...one }): Head => {
    const own = one.names.map((_, page) => recordOf(page))
    records.push(...own)
    return {
      ...one,
      stems: vocabulary.stems,
      forms: vocabulary.forms.map(([form]) => form),
      formTerms: vocabulary.forms.map(([, term]) => term),
      wholes: [...wholes],
      records: own.map(({ length }) => length),
    }
  })
  const head = Buffer.from(JSON.stringify(heads))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, ...records])
}

/** Null for what `packLedger` has not made. */
export function readLedger(bytes: Uint8Array): LedgerLanguage[] | null {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const heads = headsOf(whole)
  if (heads === null) return null
  let at = LENGTH_BYTES + whole.readUInt32LE()
  const languages = heads.map(({ stems, forms, formTerms, wholes, records, ...one }): LedgerLanguage => {
    const starts = records.map((size) => {
      at += size
      return at - size
    })
    return {
      ...one,
      vocabulary: { stems, forms: forms.map((form, number) => [form, formTerms[number] as number]) },
      wholes: new Map(wholes),
      recordOf: (page) => {
        const start = starts[page] as number
        return whole.subarray(start, start + (records[page] as number))
      },
    }
  })
  return at === whole.length && languages.length > 0 ? languages : null
}

function headsOf(whole: Buffer): Head[] | null {
  try {
    const heads: unknown = JSON.parse(
      whole.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + whole.readUInt32LE()),
    )
    return Array.isArray(heads) && heads.every(isHead) ? heads : null
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false
  const { language, ...lists } = value as Record<string, unknown>
  const { names, sizes, textParts, wordParts, stems, forms, formTerms, formPages, terms, lines, wholes } =
    lists
  return (
    typeof language === 'string' &&
    [names, stems, forms, lines].every((texts) => areAll(texts, isText)) &&
    [sizes, lists.records, formTerms, formPages, terms].every((numbers) => areAll(numbers, isCount)) &&
    [textParts, wordParts].every((parts) => arePairs(parts, isText, isCount)) &&
    arePairs(wholes, isCount, isText) &&
    areAsMany(names, sizes, lists.records) &&
    areAsMany(forms, formTerms, formPages) &&
    areAsMany(terms, lines) &&
    (terms as number[]).every((term) => term < (stems as string[]).length)
  )
}

function areAll(list: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(list) && list.every(isOne)
}

/** Lists of two. */
function arePairs(
  list: unknown,
  isFirst: (one: unknown) => boolean,
  isSecond: (one: unknown) => boolean,
): boolean {
  return areAll(list, (one) => Array.isArray(one) && isFirst(one[0]) && isSecond(one[1]))
}

function areAsMany(...lists: unknown[]): boolean {
  return new Set(lists.map((list) => (list as unknown[]).length)).size === 1
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0
}
