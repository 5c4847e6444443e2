/** Text and JSON of strangers made fit for a database: PostgreSQL keeps neither NUL nor halves of characters. */

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** The same for every text and every name in a JSON value. */
export function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name), storableJson(item)]),
  )
}
