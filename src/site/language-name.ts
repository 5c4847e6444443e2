/** Names of languages in the language itself, for switchers. */
import { ownLanguageName } from '../base/text/own-language-name.ts'

/** Where readers know another name than the one that the runtime gives, and codes of the format that are not tags. */
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

/** The code itself for a language that is not known. */
export function languageName(code: string): string {
  return NAMES.get(code.toLowerCase()) ?? ownLanguageName(code) ?? code
}
