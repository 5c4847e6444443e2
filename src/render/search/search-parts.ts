/** Splits an index into files and names them. */
import { sha256 } from '../../base/hash.ts'
import type { IndexRoot, PageText } from '../../search/format.ts'
import type { StoredWord } from './search-lines.ts'

export interface SearchFile {
  path: string
  digest: string
  content: string
}

type PartKind = 't' | 'w'

/** Maximum number of text characters of a language that are stored in the same file as its words. */
export const MAX_INLINE_TEXT_CHARACTERS = 300_000
export const TEXT_PART_CHARACTERS = 20_000
const WORD_PART_CHARACTERS = 36_000
/** Number of frequent words stored for splitting compounds and correcting typos in queries. */
const MAX_FREQUENT_WORDS = 4000
const FREQUENT_FORM = /^\p{L}{2,}$/u

export function findWordPartStarts(lines: readonly { line: string }[]): number[] {
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

export function createWordPartFile(language: string, lines: readonly { line: string }[]): SearchFile {
  return partFile(language, 'w', JSON.stringify(lines.map(({ line }) => line).join(';')))
}

export function createTextPartFile(language: string, texts: readonly PageText[]): SearchFile {
  return partFile(language, 't', JSON.stringify(texts))
}

function partFile(language: string, kind: PartKind, json: string): SearchFile {
  const value = escapeScriptJson(json)
  const digest = sha256(value)
  const path = `${getFolder(language)}${partName(kind, digest)}.js`
  return { path, digest, content: `globalThis.__octavoSearchPart("${path}",${value})\n` }
}

/** Names a part by its content, so that browsers reuse cached parts that are unchanged in a new version. */
export function partName(kind: PartKind, digest: string): string {
  return `${kind}.${digest.slice(0, 10)}`
}

export function getFolder(language: string): string {
  return `_octavo/search/${language.replace(/[^\w-]/g, '-')}/`
}

export function rootScript(root: IndexRoot): string {
  return `globalThis.__octavoSearch(${escapeScriptJson(JSON.stringify(root))})\n`
}

/** JSON is valid JavaScript; `<` is escaped so that it cannot end a script element. */
function escapeScriptJson(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** Returns words in descending order of frequency. */
export function frequentWords(words: readonly StoredWord[]): string {
  return words
    .filter(({ pages, form }) => pages > 1 && FREQUENT_FORM.test(form))
    .sort((a, b) => b.pages - a.pages)
    .slice(0, MAX_FREQUENT_WORDS)
    .map(({ form }) => form)
    .join(' ')
}
