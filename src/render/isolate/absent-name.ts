/**
 * Names that an expression uses and nobody gave.
 * Components that nobody gave: render-page.ts. Tags that are shown as text: compile/token-meaning.ts.
 */

/** Null for any other error. */
export function absentName(error: unknown): string | null {
  return error instanceof ReferenceError ? (/^(\S+) is not defined$/.exec(error.message)?.[1] ?? null) : null
}

/** Whether the source asks first whether the name has a value. */
export function hasFallback(source: string, name: string): boolean {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    if (/[\p{ID_Continue}$.]/u.test(source.charAt(at - 1))) continue
    const rest = source.slice(at + name.length, at + name.length + 20).trimStart()
    if (['?', '||', '&&'].some((sign) => rest.startsWith(sign))) return true
  }
  return false
}
