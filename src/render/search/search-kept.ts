/**
 * What an index keeps for the next one, in one run of bytes: of each page the text that is shown of it and where its
 * words stand, under a name that says what both were made of. Pages that have the same name are not looked at again.
 */
import type { Vocabulary } from './search-postings.ts'

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
