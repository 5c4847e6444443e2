/**
 * What an index keeps for the next one, in one run of bytes: of each page the text that is shown of it and where its
 * words stand, under a name that says what both were made of. Pages that have the same name are not looked at again.
 */
import { isRecordOf, type Vocabulary } from './search-postings.ts'

export interface KeptPage {
  name: string
  language: string
  /** Characters of its text. */
  size: number
  /** A `PageText` as JSON. */
  text: string
  /** As the vocabulary of its language explains it. */
  record: Uint8Array
}

export interface KeptIndex {
  vocabularies: ReadonlyMap<string, Vocabulary>
  find(name: string, language: string): KeptPage | null
}

interface Head {
  languages: [code: string, stems: readonly string[], forms: Vocabulary['forms']][]
  /** Name, number of the language, size, bytes of the text and of the record. */
  pages: [string, number, number, number, number][]
}

const LENGTH_BYTES = 4

export function packIndex(
  vocabularies: ReadonlyMap<string, Vocabulary>,
  pages: readonly KeptPage[],
): Uint8Array {
  const codes = [...vocabularies.keys()]
  const parts: Uint8Array[] = []
  const head: Head = {
    languages: [...vocabularies].map(([code, { stems, forms }]) => [code, stems, forms]),
    pages: pages.map(({ name, language, size, text, record }) => {
      const bytes = Buffer.from(text)
      parts.push(bytes, record)
      return [name, codes.indexOf(language), size, bytes.length, record.length]
    }),
  }
  const packed = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(packed.length)
  return Buffer.concat([length, packed, ...parts])
}

/** Whether it is what `packIndex` has made: the other functions here may be asked of nothing else. */
export function isWholeIndex(bytes: Uint8Array): boolean {
  try {
    const head: unknown = headOf(bytes)
    return isHead(head) && arePages(bytes, head)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false
    throw error
  }
}

function isHead(head: unknown): head is Head {
  if (typeof head !== 'object' || head === null) return false
  const { languages, pages } = head as Partial<Record<keyof Head, unknown>>
  return (
    areNamed(languages, isVocabulary) && areNamed(pages, (sizes) => sizes.length === 4 && sizes.every(isSize))
  )
}

function isVocabulary([stems, forms]: readonly unknown[]): boolean {
  if (!Array.isArray(stems) || !stems.every((stem) => typeof stem === 'string')) return false
  return areNamed(forms, ([stem]) => isSize(stem) && stem < stems.length)
}

/** Lists that begin with a text. */
function areNamed(lists: unknown, isRest: (rest: readonly unknown[]) => boolean): boolean {
  if (!Array.isArray(lists)) return false
  return lists.every((list) => Array.isArray(list) && typeof list[0] === 'string' && isRest(list.slice(1)))
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0
}

/** They fill what comes after the head, and name nothing that is not there. */
function arePages(bytes: Uint8Array, { languages, pages }: Head): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = LENGTH_BYTES + whole.readUInt32LE()
  for (const [, number, , textBytes, recordBytes] of pages) {
    const language = languages[number]
    const start = at + textBytes
    at = start + recordBytes
    if (!language || at > whole.length) return false
    const [, stems, forms] = language
    if (!isRecordOf({ stems, forms }, whole.subarray(start, at))) return false
    if (typeof JSON.parse(whole.toString('utf8', start - textBytes, start)) !== 'object') return false
  }
  return at === whole.length
}

/** Names of the pages that an index knows. */
export function namesIn(bytes: Uint8Array): string[] {
  return headOf(bytes).pages.map(([name]) => name)
}

export function unpackIndex(bytes: Uint8Array): KeptIndex {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { languages, pages } = headOf(bytes)
  const known = new Map<string, () => KeptPage>()
  let at = LENGTH_BYTES + whole.readUInt32LE()
  for (const [name, number, size, textBytes, recordBytes] of pages) {
    const start = at
    const language = languages[number]?.[0] ?? ''
    known.set(`${language} ${name}`, () => ({
      name,
      language,
      size,
      text: whole.toString('utf8', start, start + textBytes),
      record: whole.subarray(start + textBytes, start + textBytes + recordBytes),
    }))
    at += textBytes + recordBytes
  }
  return {
    vocabularies: new Map(languages.map(([code, stems, forms]) => [code, { stems, forms }])),
    find: (name, language) => known.get(`${language} ${name}`)?.() ?? null,
  }
}

function headOf(bytes: Uint8Array): Head {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return JSON.parse(whole.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + whole.readUInt32LE())) as Head
}
