/**
 * Finds undefined names in expressions.
 * For undefined components see render-page.ts; for tags that are shown as text see compile/token-meaning.ts.
 */

/** Returns the undefined name in the error, or null for other errors. */
export function findUndefinedName(error: unknown): string | null {
  return error instanceof ReferenceError ? (/^(\S+) is not defined$/.exec(error.message)?.[1] ?? null) : null
}

/** Returns whether the source handles the case that `name` is undefined. */
export function hasFallback(source: string, name: string): boolean {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    if (/[\p{ID_Continue}$.]/u.test(source.charAt(at - 1))) continue
    const rest = source.slice(at + name.length, at + name.length + 20).trimStart()
    if (['?', '||', '&&'].some((sign) => rest.startsWith(sign))) return true
  }
  return false
}
