/** Escapes text for HTML and adds line break opportunities to long names. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const ESCAPABLE_CHARACTER = /[&<>"]/
const ESCAPABLE_CHARACTERS = /[&<>"]/g

/** Escapes text content only, where quotation marks need no escaping. */
export function escapeText(text: string): string {
  const safe = text.includes('&') ? text.replaceAll('&', '&amp;') : text
  return safe.includes('<') ? safe.replaceAll('<', '&lt;') : safe
}

/** Escapes text and double-quoted attribute values for HTML and XML. */
export function escapeHtml(text: string): string {
  return ESCAPABLE_CHARACTER.test(text)
    ? text.replace(ESCAPABLE_CHARACTERS, (character) => ENTITIES[character] ?? character)
    : text
}

/** Matches words that may be wider than their container. */
const LONG_WORD = /[^\s<>]{18,}/g
const PARTS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[_./:])(?=[A-Za-z0-9])/

/** Adds line break opportunities between the parts of long names (`createUser|Account`). */
export function insertBreaks(html: string): string {
  return html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<') ? part : part.replace(LONG_WORD, (word) => word.split(PARTS).join('<wbr>')),
    )
    .join('')
}

/**
 * Formats attributes. True results in a name without a value; false, null and undefined omit the attribute.
 */
export function formatAttributes(
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  let html = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    html += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return html
}
