/** Returns a language's name in that language; undefined for an invalid tag or an unknown language. */
export function ownLanguageName(tag: string): string | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)) return undefined
  try {
    const name = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag)
    return name && name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
  } catch (error) {
    if (error instanceof RangeError) return undefined // Has the form of a tag but is invalid, such as `de-x`.
    throw error
  }
}
