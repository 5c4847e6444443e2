/** The words of a passage and of a question: cut as the search of the pages cuts them, so that both find the same. */
import type { Passage } from '../../base/api/passages.ts'
import { searchTerm, searchTokens } from '../../base/api/search-tokens.ts'

/** How often a word in a text adds to its weight. */
const MOST_OCCURRENCES = 4
/** A term holds letters, digits and marks alone; nothing of it can leave the quotes. */
const PLAIN_TERM = /^[\p{L}\p{N}\p{M}]+$/u

export function termsOf(text: string, language: string): string[] {
  return searchTokens(text, language)
    .map(searchTerm)
    .filter((term): term is string => term !== null && PLAIN_TERM.test(term))
}

/** The word that stands for a corpus, and can be in no text. */
export function corpusTerm(corpusId: number): string {
  return `'=${corpusId}'`
}

/** A text for `tsvector`. */
export function termVector(passage: Passage, corpusId: number): string {
  const { language } = passage
  const places = new Map<string, string[]>()
  let place = 0
  const add = (text: string, weight: 'A' | 'B' | 'C' | 'D', most: number) => {
    const counts = new Map<string, number>()
    for (const term of termsOf(text, language)) {
      const count = (counts.get(term) ?? 0) + 1
      counts.set(term, count)
      // PostgreSQL knows 16,383 places, and takes all beyond for the last.
      if (count <= most) places.set(term, [...(places.get(term) ?? []), `${++place}${weight}`])
    }
  }
  add(passage.heading, 'A', 1)
  add(passage.title, 'B', 1)
  add(passage.words, 'C', 1)
  add(passage.text, 'D', MOST_OCCURRENCES)
  return [corpusTerm(corpusId), ...[...places].map(([term, at]) => `'${term}':${at.join(',')}`)].join(' ')
}
