/**
 * Decides whether a passage supports a statement. The quotation and all code, URLs and numbers of the statement must
 * occur in the passage literally, and most words of each sentence in some form. Each sentence is checked separately, so
 * that a true one cannot cover a false one. A statement that reverses the meaning with words of the passage is not
 * detected.
 */
import type { FoundPassage } from './find-passages.ts'
import { splitTerms } from './passage-terms.ts'

const MIN_QUOTE_LENGTH = 8
const MAX_QUOTE_LENGTH = 600
/** Minimum share of a sentence's words that must occur in the passage. */
const MIN_SHARED_WORD_SHARE = 0.7

/** Normalizes characters that models change when they copy text. */
export function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u2032`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u2033«»]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

export function supports(passage: FoundPassage, statement: { text: string; quote: string }): boolean {
  const whole = plainText(`${passage.title} ${passage.heading} ${passage.text}`)
  return (
    hasQuote(passage, statement.quote) &&
    extractFacts(statement.text).every((fact) => isWithin(whole, fact)) &&
    splitSentences(statement.text).every(
      (sentence) => computeSharedWordShare(passage, sentence) >= MIN_SHARED_WORD_SHARE,
    )
  )
}

function hasQuote(passage: FoundPassage, given: string): boolean {
  const quote = plainText(given)
  return (
    quote.length >= Math.min(MIN_QUOTE_LENGTH, plainText(passage.text).length) &&
    quote.length <= MAX_QUOTE_LENGTH &&
    plainText(passage.text).includes(quote)
  )
}

/** Returns code, URLs and numbers, which must be exact. */
function extractFacts(text: string): string[] {
  const code = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'))
  const rest = text.replace(/```[\s\S]*?```/g, ' ')
  const spans = [...rest.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)
  const addresses = rest.match(/\b[a-z][a-z0-9+.-]*:\/\/[^\s)>\]"'`]+/gi) ?? []
  const hosts = rest.match(/\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/[^\s)>\]"'`]*)?/gi) ?? []
  const numbers = rest.match(/\d+(?:[.,]\d+)*/g) ?? []
  return [...code, ...spans, ...addresses, ...hosts, ...numbers]
    .map((fact) => plainText(fact).replace(/[.,;:!?]+$/, ''))
    .filter((fact) => fact !== '')
}

function isWithin(whole: string, fact: string): boolean {
  if (!/^[\d.,]+$/.test(fact)) return whole.includes(fact)
  for (let at = whole.indexOf(fact); at !== -1; at = whole.indexOf(fact, at + 1)) {
    const isCut = /\d/.test(whole[at - 1] ?? '') || /\d/.test(whole[at + fact.length] ?? '')
    if (!isCut) return true
  }
  return false
}

/** Excludes code blocks, whose lines are compared literally. */
function splitSentences(text: string): string[] {
  return text.replace(/```[\s\S]*?```/g, '\n').split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/)
}

/** Returns the share of words found in the passage. Ignores short words in scripts that separate words. */
function computeSharedWordShare(passage: FoundPassage, text: string): number {
  const { language } = passage
  const there = new Set(splitTerms(`${passage.title} ${passage.heading} ${passage.text}`, language))
  const stems = new Set([...there].map(stemWord))
  const words = [...new Set(splitTerms(text, language))].filter(
    (word) => word.length >= 4 || /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u.test(word),
  )
  if (words.length === 0) return 1
  return words.filter((word) => there.has(word) || stems.has(stemWord(word))).length / words.length
}

function stemWord(word: string): string {
  return word.length <= 5 ? word : word.slice(0, Math.max(5, word.length - 3))
}
