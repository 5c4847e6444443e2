/** The paths that readers ask for. */

/** `{ path: null }` for a path that cannot be decoded or tries to climb. */
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

/** Pages have one address: no trailing or doubled slash, no `.html`, no `/index`. */
export function canonicalPath(path: string): string {
  const tidy = path
    .replace(/\/{2,}/g, '/')
    .replace(/\.html$/, '')
    .replace(/\/index$/, '/')
  return tidy.length > 1 ? tidy.replace(/\/$/, '') : tidy
}
