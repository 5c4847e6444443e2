/** Texts of the user interface by language. Languages without a translation use English. */

import {
  API_TEXTS,
  ASSISTANT_TEXTS,
  COMPONENT_TEXTS,
  LOGIN_TEXTS,
  PAGE_TEXTS,
  PLAYGROUND_TEXTS,
  type UiText,
} from './languages/en.ts'
import * as languages from './languages.ts'

export const ENGLISH = {
  ...PAGE_TEXTS,
  ...API_TEXTS,
  ...COMPONENT_TEXTS,
  ...PLAYGROUND_TEXTS,
  ...ASSISTANT_TEXTS,
  ...LOGIN_TEXTS,
} as const

const LANGUAGES: ReadonlyMap<string, UiText> = new Map(Object.entries(languages))

/** Languages with a translation; English, the fallback, comes first. */
export const LANGUAGE_TAGS: readonly string[] = ['en', ...LANGUAGES.keys()]

/** Bokmål has its words under `no`, the format's code; Nynorsk is nearer to them than to English. */
const NORWEGIAN = /^(?:nb|nn)\b/

/** Language codes of the format that are not valid language tags. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['cn', 'zh-CN'],
  ['jp', 'ja'],
  ['ja_jp', 'ja'],
  ['fr-ca', 'fr-CA'],
  ['ja-jp', 'ja-JP'],
])

export function uiText(language: string): UiText {
  const tag = languageTag(language).toLowerCase()
  const isTraditional = /^zh-(?:hant|tw|hk)/.test(tag)
  return LANGUAGES.get(isTraditional ? 'zh-hant' : firstPart(tag.replace(NORWEGIAN, 'no'))) ?? ENGLISH
}

/** Returns the value for `lang` attributes. */
export function languageTag(code: string): string {
  return ALIASES.get(code.toLowerCase()) ?? code
}

export function direction(language: string): 'ltr' | 'rtl' {
  const tag = firstPart(languageTag(language).toLowerCase())
  const isRightToLeft = /^[a-z]{2,3}$/.test(tag) && new Intl.Locale(tag).getTextInfo().direction === 'rtl'
  return isRightToLeft ? 'rtl' : 'ltr'
}

function firstPart(tag: string): string {
  return tag.split('-')[0] ?? tag
}
