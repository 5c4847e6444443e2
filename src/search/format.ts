/**
 * The files of a search index. Each is a classic script, so that it also loads from disk: the root calls
 * `globalThis.__octavoSearch(root)`, every other one `globalThis.__octavoSearchPart(path, content)`. The root of a small
 * site holds everything; a large one has its words in parts by the alphabet and its texts in parts by page.
 *
 * Words stand as `stem forms postings`, parted by `;`, in the order of their stems. A form that begins with its stem is
 * `+` and the rest; one that has only its stem has none. Postings are numbers in base 64: in how many pages the word stands, then for each page its distance
 * from the one before, `32 × sections + weight in the page`, and for each section `16 × distance + weight in it`.
 */

export interface IndexRoot {
  language: string
  /** How many pages there are; they are numbered in the order of the site. */
  pages: number
  /** Weights of pages in hundredths and how many pages in a row have them. */
  weights: readonly Run<number>[]
  /** Null for a site without versions. */
  versions: IndexVersions | null
  /** Words that many pages have, the most frequent first, parted by spaces; empty when the words are here. */
  frequent: string
  /** Where the parts lie, from the root of the site. */
  folder: string
  /** The first stem of each part, and its name. */
  wordParts: readonly (readonly [string, string])[]
  /** The first page of each part, and its name. */
  textParts: readonly (readonly [number, string])[]
  /** Instead of parts. */
  words: string | null
  texts: readonly PageText[] | null
}

export type Run<Value> = readonly [Value, number]

export interface IndexVersions {
  labels: readonly string[]
  /** Shown to who has not chosen. */
  default: number
  /** Versions that pages belong to; none: they are of all. */
  runs: readonly Run<readonly number[]>[]
}

export interface PageText {
  title: string
  /** From the root of the site, in the form of the deployment. */
  href: string
  /** Labels of the groups that it stands in, outermost first. */
  trail: readonly string[]
  /** Day of its last change, `2026-03-01`. */
  updated?: string
  /** Versions that have the same page. */
  versions?: readonly number[]
  /** Languages that have the same page. */
  languages?: readonly string[]
  /** Anchor, heading and text; the first one is what stands before any heading. */
  sections: readonly (readonly [string, string, string])[]
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Uint8Array(128)
for (let i = 0; i < 64; i++) VALUES[DIGITS.charCodeAt(i)] = i

/** Digits of 5 bits, the lowest first; all but the last have 32 added. */
export function appendNumber(bytes: number[], value: number): void {
  let left = value
  while (left > 31) {
    bytes.push(DIGITS.charCodeAt(32 | (left & 31)))
    left >>>= 5
  }
  bytes.push(DIGITS.charCodeAt(left))
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

/** Empty when the stem is the one form. */
export function packForms(stem: string, forms: readonly string[]): string {
  if (forms.length === 1 && forms[0] === stem) return ''
  return forms.map((form) => (form.startsWith(stem) ? `+${form.slice(stem.length)}` : form)).join(',')
}

export function unpackForms(stem: string, packed: string): string[] {
  if (packed === '') return [stem]
  return packed.split(',').map((form) => (form.startsWith('+') ? stem + form.slice(1) : form))
}

export function runsOf<Value>(values: readonly Value[]): Run<Value>[] {
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

export function fromRuns<Value>(runs: readonly Run<Value>[]): Value[] {
  return runs.flatMap(([value, count]) => Array.from({ length: count }, () => value))
}
