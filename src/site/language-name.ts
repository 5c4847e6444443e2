/** Names of languages in the language itself, for switchers. */

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
  return NAMES.get(code.toLowerCase()) ?? ownName(code) ?? code
}

function ownName(code: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(code)) return undefined
  try {
    const name = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code)
    return name && name.charAt(0).toLocaleUpperCase(code) + name.slice(1)
  } catch (error) {
    if (error instanceof RangeError) return undefined // Shaped like a tag and none, such as `de-x`.
    throw error
  }
}
