/** Texts of API pages. */
import { API_WORDS, type UiText } from './languages/en.ts'

const SHARED = ['fieldRequired', 'fieldDefault', 'fieldDeprecated'] as const

export type ApiWords = Pick<UiText, keyof typeof API_WORDS | (typeof SHARED)[number]>

/** Returns only the texts of API pages from all texts of a language. */
export function apiWords(text: ApiWords): ApiWords {
  const known = byText.get(text)
  if (known) return known
  const words = [...(Object.keys(API_WORDS) as (keyof typeof API_WORDS)[]), ...SHARED]
  const made = Object.fromEntries(words.map((word) => [word, text[word]])) as ApiWords
  byText.set(text, made)
  return made
}

const byText = new WeakMap<ApiWords, ApiWords>()
