/**
 * How text becomes words where a dictionary may be asked: in the search that agents have in the sources of pages, and in
 * the passages that answers rest on. The search of readers is in ../search.
 */

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const ASCII = /^[\x00-\x7f]*$/
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Latin, Greek and Cyrillic accents; the marks of other scripts tell words apart. */
const ACCENTS = /[\u0300-\u036f]+/g

const segmenters = new Map<string, Intl.Segmenter>()

/** Words of a text in order, as written; a script without spaces is cut by the dictionary of the language. */
export function searchTokens(text: string, language: string): string[] {
  const words = text.match(WORDS) ?? []
  if (!UNSPACED.test(text)) return words
  const tokens: string[] = []
  for (const word of words) {
    if (!UNSPACED.test(word)) tokens.push(word)
    else
      for (const part of segmenterOf(language).segment(word)) if (part.isWordLike) tokens.push(part.segment)
  }
  return tokens
}

/** The form of a word that is stored and compared: without case and accents; null for what is not worth a lookup. */
export function searchTerm(token: string): string | null {
  const lower = token.toLowerCase()
  const term = ASCII.test(lower) ? lower : lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC')
  return term === '' || term.length > 40 ? null : term
}

/** Fields are `title`, `heading` and `text`. */
export function searchOptions(language: string) {
  return {
    fields: ['title', 'heading', 'text'],
    tokenize: (text: string) => searchTokens(text, language),
    processTerm: searchTerm,
    searchOptions: {
      boost: { title: 4, heading: 2 },
      prefix: (term: string) => term.length > 1,
      fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND' as const,
    },
  }
}

function segmenterOf(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const segmenter = new Intl.Segmenter(localeOf(language), { granularity: 'word' })
  segmenters.set(language, segmenter)
  return segmenter
}

/** A site's language code may be none that `Intl` knows. */
function localeOf(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0]
  } catch {
    return undefined
  }
}
