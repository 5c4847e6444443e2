/** Normalizes page paths: `/guides/x/`, `/guides/x.html` and `/guides/x?a#b` all become `/guides/x`. */

import { decodeOrNull } from '../../../base/text/decode-path.ts'

/** Returns null if the text cannot be the path of a page. Decodes percent encodings. */
export function canonicalPagePath(given: string): string | null {
  const bare = given.replace(/[?#].*$/s, '')
  if (!bare.startsWith('/')) return null
  const decoded = decodeOrNull(bare)
  if (decoded === null || /[\p{Cc}\\]|(^|\/)\.\.?(\/|$)/u.test(decoded)) return null
  const tidy = decoded
    .replace(/\/{2,}/g, '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
  return tidy.length > 1 ? tidy.replace(/\/$/, '') : tidy
}
