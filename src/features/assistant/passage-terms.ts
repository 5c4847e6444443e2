/** Tokenizes passages and questions in the same way as the page search, so that both match alike. */
import type { Passage } from '../../base/api/passages.ts'
import { searchTerm, searchTokens } from '../../base/api/search-tokens.ts'

/** Maximum number of occurrences of a word in a text that count. */
const MAX_OCCURRENCES = 4
/** Only letters, digits and marks, so that a term cannot break out of its quotes. */
const PLAIN_TERM = /^[\p{L}\p{N}\p{M}]+$/u

export function splitTerms(text: string, language: string): string[] {
  return searchTokens(text, language)
    .map(searchTerm)
    .filter((term): term is string => term !== null && PLAIN_TERM.test(term))
}

/** Returns a term that identifies a corpus and cannot occur in a text. */
export function corpusTerm(corpusId: number): string {
  return `'=${corpusId}'`
}

/** Returns the `tsvector` literal of a passage. */
export function termVector(passage: Passage, corpusId: number): string {
  const { language } = passage
  const places = new Map<string, string[]>()
  let place = 0
  const add = (text: string, weight: 'A' | 'B' | 'C' | 'D', most: number) => {
    const counts = new Map<string, number>()
    for (const term of splitTerms(text, language)) {
      const count = (counts.get(term) ?? 0) + 1
      counts.set(term, count)
      // PostgreSQL supports positions up to 16,383 and stores higher ones as that.
      if (count <= most) places.set(term, [...(places.get(term) ?? []), `${++place}${weight}`])
    }
  }
  add(passage.heading, 'A', 1)
  add(passage.title, 'B', 1)
  add(passage.words, 'C', 1)
  add(passage.text, 'D', MAX_OCCURRENCES)
  return [corpusTerm(corpusId), ...[...places].map(([term, at]) => `'${term}':${at.join(',')}`)].join(' ')
}
