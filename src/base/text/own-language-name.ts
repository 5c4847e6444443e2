/** The name of a language in the language itself; undefined for what is no tag, or of a language that is not known. */
export function ownLanguageName(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)) return undefined
  try {
    const name = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag)
    return name && name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch (error) {
    if (error instanceof RangeError) return undefined // Shaped like a tag and none, such as `de-x`.
    throw error
  }
}
