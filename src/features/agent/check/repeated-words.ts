/** The same word twice in a row, as `Vale.Repetition` finds it. */
import type { Found } from './apply-rule.ts'

const MOST = 20

export function repeatedWords(text: string): Found[] {
  const found: Found[] = []
  let last = { word: '', end: -1 }
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const isNext = last.end >= 0 && text.slice(last.end, index) === ' '
    if (isNext && word === last.word && found.length < MOST) found.push({ at: index, words: [word] })
    last = { word, end: index + word.length }
  }
  return found
}
