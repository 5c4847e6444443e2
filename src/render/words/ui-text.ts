/** Texts of the user interface by language. Languages without a translation use English. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programFile } from '../../base/files/program-files.ts'
import {
  API_TEXTS,
  ASSISTANT_TEXTS,
  COMPONENT_TEXTS,
  LOGIN_TEXTS,
  PAGE_TEXTS,
  PLAYGROUND_TEXTS,
  type UiText,
} from './english.ts'

export const ENGLISH = {
  ...PAGE_TEXTS,
  ...API_TEXTS,
  ...COMPONENT_TEXTS,
  ...PLAYGROUND_TEXTS,
  ...ASSISTANT_TEXTS,
  ...LOGIN_TEXTS,
} as const

const FOLDER = programFile('locales')
const FILE = 'site.json'

/** Languages with a translation; English, the fallback, comes first. */
export const LANGUAGE_TAGS: readonly string[] = [
  'en',
  ...globSync(`*/${FILE}`, { cwd: FOLDER }).map(dirname).sort(),
]

const texts = new Map<string, UiText>([['en', ENGLISH]])

/**
 * Bokmål texts are stored under `no`, the format's code. Nynorsk uses them too, as they are closer than
 * English.
 */
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
  const name = isTraditional ? 'zh-hant' : firstPart(tag.replace(NORWEGIAN, 'no'))
  if (!LANGUAGE_TAGS.includes(name)) return ENGLISH
  const text = texts.get(name) ?? (JSON.parse(readFileSync(join(FOLDER, name, FILE), 'utf8')) as UiText)
  texts.set(name, text)
  return text
}

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
