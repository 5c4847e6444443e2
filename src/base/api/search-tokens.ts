/**
 * Tokenizer for server-side search, which may use dictionaries. Used by the agent to search page sources, and to find
 * passages on which answers are based. Reader search is in ../search.
 */

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const ASCII = /^[\x00-\x7f]*$/
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Latin, Greek and Cyrillic accents; in other scripts, combining marks distinguish words. */
const ACCENTS = /[\u0300-\u036f]+/g

const segmenters = new Map<string, Intl.Segmenter>()

export function tokenizeForSearch(text: string, language: string): string[] {
  const words = text.match(WORDS) ?? []
  if (!UNSPACED.test(text)) return words
  const tokens: string[] = []
  for (const word of words) {
    if (!UNSPACED.test(word)) tokens.push(word)
    else
      for (const part of getSegmenter(language).segment(word)) if (part.isWordLike) tokens.push(part.segment)
  }
  return tokens
}

/** Returns the normalized form of a word, without case and accents, or null if it is not worth indexing. */
export function searchTerm(token: string): string | null {
  const lower = token.toLowerCase()
  const term = ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
  return term === '' || term.length > 40 ? null : term
}

export function searchOptions(language: string) {
  return {
    fields: ['title', 'heading', 'text'],
    tokenize: (text: string) => tokenizeForSearch(text, language),
    processTerm: searchTerm,
    searchOptions: {
      boost: { title: 4, heading: 2 },
      prefix: (term: string) => term.length > 1,
      fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND' as const,
    },
  }
}

function getSegmenter(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const segmenter = new Intl.Segmenter(toLocale(language), { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

function toLocale(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0]
  } catch {
    return undefined
  }
}
