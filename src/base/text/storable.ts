/**
 * Makes texts storable in PostgreSQL, which accepts neither NUL nor lone surrogates. Users and models may send both.
 */

/** Replaces NUL and lone surrogates with U+FFFD. */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Replaces NUL and lone surrogates in every text and key of a JSON value. */
export function toStorable<T>(value: T): T {
  return clean(value) as T
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [toStorableText(key), clean(child)]))
}
