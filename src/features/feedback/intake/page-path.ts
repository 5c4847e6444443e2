/** The one form in which pages are named: `/guides/x/`, `/guides/x.html` and `/guides/x?a#b` are all `/guides/x`. */

/** Null for a text that cannot be the path of a page. Percent encodings are read. */
export function canonicalPagePath(given: string): string | null {
  const bare = given.replace(/[?#].*$/s, '')
  if (!bare.startsWith('/')) return null
  const decoded = decode(bare)
  if (decoded === null || /[\p{Cc}\\]|(^|\/)\.\.?(\/|$)/u.test(decoded)) return null
  const tidy = decoded
    .replace(/\/{2,}/g, '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
  return tidy.length > 1 ? tidy.replace(/\/$/, '') : tidy
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
