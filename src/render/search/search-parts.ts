/** How an index is cut into files, and what these are called. */
import { sha256 } from '../../base/hash.ts'
import type { IndexRoot } from '../../search/format.ts'

export interface SearchFile {
  /** Path in the site. */
  path: string
  /** Of all that makes the file another one. */
  digest: string
  content: string
}

export type PartKind = 't' | 'w'

/** Characters of all texts of a language that stand in one file with its words. */
export const WHOLE_TEXTS = 300_000
/** Characters of a part. */
export const TEXT_PART = 20_000
const WORD_PART = 36_000
/** Words that many pages have, by which others are split and corrected. */
const FREQUENT_WORDS = 4000
const FREQUENT_FORM = /^\p{L}{2,}$/u

/** Where each part of words begins. */
export function wordStarts(lines: readonly { line: string }[]): number[] {
  const starts: number[] = []
  let size = 0
  for (const [at, { line }] of lines.entries()) {
    if (at === 0 || size + line.length > WORD_PART) {
      starts.push(at)
      size = 0
    }
    size += line.length
  }
  return starts
}

/** Where each part of texts begins, of pages of these sizes. */
export function textStarts(sizes: readonly number[]): number[] {
  const starts: number[] = []
  let size = TEXT_PART
  for (const [at, one] of sizes.entries()) {
    if (size >= TEXT_PART) {
      starts.push(at)
      size = 0
    }
    size += one
  }
  return starts
}

export function wordsFile(language: string, lines: readonly { line: string }[]): SearchFile {
  return partFile(language, 'w', JSON.stringify(lines.map(({ line }) => line).join(';')))
}

/** Each text is JSON. */
export function textsFile(language: string, texts: readonly string[]): SearchFile {
  return partFile(language, 't', `[${texts.join(',')}]`)
}

function partFile(language: string, kind: PartKind, json: string): SearchFile {
  const value = asScript(json)
  const digest = sha256(value)
  const path = partPath(language, kind, digest)
  return { path, digest, content: `globalThis.__octavoSearchPart("${path}",${value})\n` }
}

export function partPath(language: string, kind: PartKind, digest: string): string {
  return `${folderOf(language)}${partName(kind, digest)}.js`
}

/** By its content, so that what stays the same from one version of the site to the next is kept by browsers. */
export function partName(kind: PartKind, digest: string): string {
  return `${kind}.${digest.slice(0, 10)}`
}

export function folderOf(language: string): string {
  return `_octavo/search/${language.replace(/[^\w-]/g, '-')}/`
}

export function rootScript(root: IndexRoot): string {
  return `globalThis.__octavoSearch(${asScript(JSON.stringify(root))})\n`
}

/** JSON is JavaScript; `<` is escaped so that it ends no script wherever it stands. */
function asScript(json: string): string {
  return json.replaceAll('<', '\\u003c')
}

/** The most frequent first, of words that are told by their numbers: in how many pages each stands, and its form. */
export function frequentWords(pages: readonly number[], formOf: (word: number) => string): string {
  const byPages = new Map<number, number[]>()
  for (const [word, count] of pages.entries()) {
    if (count < 2) continue
    const others = byPages.get(count)
    if (others) others.push(word)
    else byPages.set(count, [word])
  }
  const found: string[] = []
  for (const [, words] of [...byPages].sort(([a], [b]) => b - a)) {
    for (const word of words) {
      if (found.length === FREQUENT_WORDS) return found.join(' ')
      const form = formOf(word)
      if (FREQUENT_FORM.test(form)) found.push(form)
    }
  }
  return found.join(' ')
}
