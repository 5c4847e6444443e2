/**
 * Files of a search index. Each is a classic script, so that it also loads from disk. The root file calls
 * `globalThis.__octavoSearch(root)`, every other file `globalThis.__octavoSearchPart(path, content)`. The root of a
 * small site contains everything. A large site has its words in alphabetical parts and its texts in parts by page.
 *
 * Words are written as `stem forms postings`, separated by `;`, sorted by stem. A form that starts with its stem is
 * written as `+` and the rest. `forms` is empty if the stem is the only form. Postings are numbers in base 64: the
 * number of pages with the word, then for each page its distance from the previous page, `32 × sections + weight in
 * the page`, and for each section `16 × distance + weight in the section`.
 */

export interface IndexRoot {
  language: string
  /** Number of pages; they are numbered in the order of the site. */
  pages: number
  /** Run-length encoded weights of pages, in hundredths. */
  weights: readonly Run<number>[]
  versions: IndexVersions | null
  /** Frequent words, most frequent first, separated by spaces; empty if `words` is present. */
  frequent: string
  /** Folder of the parts, relative to the root of the site. */
  folder: string
  /** First stem and name of each part. */
  wordParts: readonly (readonly [string, string])[]
  /** First page and name of each part. */
  textParts: readonly (readonly [number, string])[]
  /** All words of a small index; null if they are stored in parts. */
  words: string | null
  texts: readonly PageText[] | null
}

export type Run<Value> = readonly [Value, number]

export interface IndexVersions {
  labels: readonly string[]
  /** Version shown to readers who have not chosen one. */
  default: number
  /** Run-length encoded versions of pages; an empty list means all versions. */
  runs: readonly Run<readonly number[]>[]
}

export interface PageText {
  title: string
  /** URL relative to the root of the site, in the form that links have in this deployment. */
  href: string
  trail: readonly string[]
  /** Date of the last change, `2026-03-01`. */
  updated?: string
  /** Versions with a counterpart of the page. */
  versions?: readonly number[]
  /** Languages with a counterpart of the page. */
  languages?: readonly string[]
  /** Anchor, heading and text; the first section is the text before any heading. */
  sections: readonly (readonly [string, string, string])[]
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Uint8Array(128)
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i

/** Appends a number as digits of 5 bits, lowest first; 32 is added to all digits except the last. */
export function appendNumber(bytes: number[], value: number): void {
  let remaining = value
  while (remaining > 31) {
    bytes.push(DIGITS.charCodeAt(32 | (remaining & 31)))
    remaining >>>= 5
  }
  bytes.push(DIGITS.charCodeAt(remaining))
}

export function readNumbers(code: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (let i = 0; i < code.length; i++) {
    const digit = VALUES[code.charCodeAt(i)] ?? 0
    value |= (digit & 31) << shift
    if (digit & 32) shift += 5
    else {
      numbers.push(value)
      value = 0
      shift = 0
    }
  }
  return numbers
}

/** Returns an empty string if the stem is the only form. */
export function packForms(stem: string, forms: readonly string[]): string {
  if (forms.length === 1 && forms[0] === stem) return ''
  return forms.map((form) => (form.startsWith(stem) ? `+${form.slice(stem.length)}` : form)).join(',')
}

export function unpackForms(stem: string, packed: string): string[] {
  if (packed === '') return [stem]
  return packed.split(',').map((form) => (form.startsWith('+') ? stem + form.slice(1) : form))
}

export function encodeRuns<Value>(values: readonly Value[]): Run<Value>[] {
  const runs: [Value, number][] = []
  let last = ''
  for (const value of values) {
    const key = JSON.stringify(value)
    const run = runs.at(-1)
    if (run && key === last) run[1] += 1
    else runs.push([value, 1])
    last = key
  }
  return runs
}

export function decodeRuns<Value>(runs: readonly Run<Value>[]): Value[] {
  return runs.flatMap(([value, count]) => Array.from({ length: count }, () => value))
}
