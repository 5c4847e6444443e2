/** Splits an index into files, and names these. */
import { sha256 } from '../../base/hash.ts'
import type { IndexRoot, PageText } from '../../search/format.ts'
import type { StoredWord } from './search-lines.ts'

export interface SearchFile {
  /** Path in the site. */
  path: string
  /** Digest of the file's content. */
  digest: string
  content: string
}

type PartKind = 't' | 'w'

/** Up to this many characters, all texts of a language are in one file with its words. */
export const MAX_INLINE_TEXT_CHARACTERS = 300_000
/** Characters per part. */
export const TEXT_PART_CHARACTERS = 20_000
const WORD_PART_CHARACTERS = 36_000
/** Number of frequent words, which serve to split and correct others. */
const MAX_FREQUENT_WORDS = 4000
const FREQUENT_FORM = /^\p{L}{2,}$/u

/** Returns the indexes at which parts of the word list start. */
export function wordStarts(lines: readonly { line: string }[]): number[] {
  const starts: number[] = []
  let size = 0
  for (const [at, { line }] of lines.entries()) {
    if (at === 0 || size + line.length > WORD_PART_CHARACTERS) {
      starts.push(at)
      size = 0
    }
    size += line.length
  }
  return starts
}

export function wordsFile(language: string, lines: readonly { line: string }[]): SearchFile {
  return partFile(language, 'w', JSON.stringify(lines.map(({ line }) => line).join(';')))
}

export function textsFile(language: string, texts: readonly PageText[]): SearchFile {
  return partFile(language, 't', JSON.stringify(texts))
}

function partFile(language: string, kind: PartKind, json: string): SearchFile {
  const value = asScript(json)
  const digest = sha256(value)
  const path = `${getFolder(language)}${partName(kind, digest)}.js`
  return { path, digest, content: `globalThis.__octavoSearchPart("${path}",${value})\n` }
}

/** Named by content, so that browsers reuse cached parts that are unchanged in a new version. */
export function partName(kind: PartKind, digest: string): string {
  return `${kind}.${digest.slice(0, 10)}`
}

export function getFolder(language: string): string {
  return `_octavo/search/${language.replace(/[^\w-]/g, '-')}/`
}

export function rootScript(root: IndexRoot): string {
  return `globalThis.__octavoSearch(${asScript(JSON.stringify(root))})\n`
}

/** JSON is valid JavaScript; `<` is escaped so that it cannot end a script element. */
function asScript(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** Most frequent first. */
export function frequentWords(words: readonly StoredWord[]): string {
  return words
    .filter(({ pages, form }) => pages > 1 && FREQUENT_FORM.test(form))
    .sort((a, b) => b.pages - a.pages)
    .slice(0, MAX_FREQUENT_WORDS)
    .map(({ form }) => form)
    .join(' ')
}
