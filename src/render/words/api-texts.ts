/** UI strings of API pages. */
import { API_TEXTS, type UiText } from './english.ts'

const SHARED = ['fieldRequired', 'fieldDefault', 'fieldDeprecated'] as const

export type ApiTexts = Pick<UiText, keyof typeof API_TEXTS | (typeof SHARED)[number]>

export function pickApiTexts(text: ApiTexts): ApiTexts {
  const cached = byText.get(text)
  if (cached) return cached
  const words = [...(Object.keys(API_TEXTS) as (keyof typeof API_TEXTS)[]), ...SHARED]
  const picked = Object.fromEntries(words.map((word) => [word, text[word]])) as ApiTexts
  byText.set(text, picked)
  return picked
}

const byText = new WeakMap<ApiTexts, ApiTexts>()
