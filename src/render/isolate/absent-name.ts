/**
 * Finds names that an expression uses and that are not defined.
 * For undefined components see render-page.ts; for tags that are shown as text see compile/token-meaning.ts.
 */

/** Returns null for any other error. */
export function absentName(error: unknown): string | null {
  return error instanceof ReferenceError ? (/^(\S+) is not defined$/.exec(error.message)?.[1] ?? null) : null
}

/** True if the source checks whether the name has a value. */
export function hasFallback(source: string, name: string): boolean {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    if (/[\p{ID_Continue}$.]/u.test(source.charAt(at - 1))) continue
    const rest = source.slice(at + name.length, at + name.length + 20).trimStart()
    if (['?', '||', '&&'].some((sign) => rest.startsWith(sign))) return true
  }
  return false
}
