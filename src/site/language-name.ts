/** Names of languages in the languages themselves, for language switchers. */
import { ownLanguageName } from '../base/text/own-language-name.ts'

/**
 * Names of languages for which the runtime's name is less common, and of codes of the format that are not valid
 * language tags.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['cn', '简体中文'],
  ['fr-ca', 'Français (Canada)'],
  ['id', 'Bahasa Indonesia'],
  ['ja-jp', '日本語'],
  ['jp', '日本語'],
  ['uz', 'Oʻzbekcha'],
  ['zh', '简体中文'],
  ['zh-cn', '简体中文'],
  ['zh-tw', '繁體中文（台灣）'],
])

export function languageName(code: string): string {
  return NAMES.get(code.toLowerCase()) ?? ownLanguageName(code) ?? code
}
