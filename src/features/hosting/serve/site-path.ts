/** Paths of reader requests. */

/** `path` is null if it cannot be decoded or contains `..`. */
export function splitTarget(target: string): { path: string | null; query: string } {
  const [rawPath = '/', ...rest] = target.split('?')
  const query = rest.length > 0 ? `?${rest.join('?')}` : ''
  try {
    const path = decodeURIComponent(rawPath)
    return { path: path.startsWith('/') && !/[\0\\]|(^|\/)\.\.?(\/|$)/.test(path) ? path : null, query }
  } catch {
    return { path: null, query }
  }
}

/** Each page has a single canonical path: no trailing or double slashes, no `.html`, no `/index`. */
export function canonicalPath(path: string): string {
  const tidy = path
    .replace(/\/{2,}/g, '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
  return tidy.length > 1 ? tidy.replace(/\/$/, '') : tidy
}
