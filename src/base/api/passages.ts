/** Passages of a site for answering questions, written when the site is built. */

/** One line of the passages file, as JSON. */
export interface Passage {
  /** Path of the page: `/guides/deploy`. */
  path: string
  /** Id of the preceding heading; null before the first heading. */
  anchor: string | null
  title: string
  /** Empty before the first heading. */
  heading: string
  language: string
  /** Label of the documentation version that the page belongs to; null if the site has no versions. */
  version: string | null
  /** Searchable words that do not occur in the text: description, keywords, groups. */
  words: string
  text: string
}

/** Maximum length of a passage in characters; longer sections are split. */
export const PASSAGE_CHARACTERS = 1200
/** Maximum number of passages per section. The rest of a section is only found by search. */
export const MAX_PASSAGES_PER_SECTION = 50

const PASSAGES_FILE = /^_octavo\/passages\.[0-9a-f]{8,64}\.jsonl$/

export function passagesFile(sha256: string): string {
  return `_octavo/passages.${sha256.slice(0, 16)}.jsonl`
}

export function isPassagesFile(path: string): boolean {
  return PASSAGES_FILE.test(path)
}
