/** Tokenizes passages and questions like the page search, so that assistant and search find the same text. */
import type { Passage } from '../../base/api/passages.ts'
import { searchTerm, tokenizeForSearch } from '../../base/api/search-tokens.ts'

const MAX_OCCURRENCES = 4
/** Allows only letters, digits and marks, so that a term cannot break out of its quotes. */
const PLAIN_TERM = /^[\p{L}\p{N}\p{M}]+$/u

export function splitTerms(text: string, language: string): string[] {
  return tokenizeForSearch(text, language)
    .map(searchTerm)
    .filter((term): term is string => term !== null && PLAIN_TERM.test(term))
}

/** Returns a term that identifies a corpus and cannot occur in a text. */
export function corpusTerm(corpusId: number): string {
  return `'=${corpusId}'`
}

export function termVector(passage: Passage, corpusId: number): string {
  const { language } = passage
  const positions = new Map<string, string[]>()
  let position = 0
  const add = (text: string, weight: 'A' | 'B' | 'C' | 'D', most: number) => {
    const counts = new Map<string, number>()
    for (const term of splitTerms(text, language)) {
      const count = (counts.get(term) ?? 0) + 1
      counts.set(term, count)
      // PostgreSQL limits positions to 16,383 and stores higher ones as that value.
      if (count <= most) positions.set(term, [...(positions.get(term) ?? []), `${++position}${weight}`])
    }
  }
  add(passage.heading, 'A', 1)
  add(passage.title, 'B', 1)
  add(passage.words, 'C', 1)
  add(passage.text, 'D', MAX_OCCURRENCES)
  return [corpusTerm(corpusId), ...[...positions].map(([term, at]) => `'${term}':${at.join(',')}`)].join(' ')
}
