/** The text of a site in pieces that a question can be answered from: written with the site, read when it is shown. */

/** One line of the file, as JSON. */
export interface Passage {
  /** Route of the page: `/guides/deploy`. */
  path: string
  /** Id of the heading above it; null before the first one. */
  anchor: string | null
  title: string
  /** Empty before the first heading. */
  heading: string
  language: string
  /** Label of the version of the docs that the page belongs to; null when the site has none. */
  version: string | null
  /** Words of the page that are in none of its text: description, keywords, groups. */
  words: string
  text: string
}

/** Characters of a passage; longer sections are several. */
export const PASSAGE_CHARACTERS = 1200
/** Of a section; what comes after them is found by search alone. */
export const MOST_PASSAGES_OF_SECTION = 50

const PASSAGES_FILE = /^_octavo\/passages\.[0-9a-f]{8,64}\.jsonl$/

export function passagesFile(sha256: string): string {
  return `_octavo/passages.${sha256.slice(0, 16)}.jsonl`
}

export function isPassagesFile(path: string): boolean {
  return PASSAGES_FILE.test(path)
}
