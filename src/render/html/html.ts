/** Writes HTML text: escaping, and break opportunities in long names. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const ESCAPED = /[&<>"]/
const EACH_ESCAPED = /[&<>"]/g

/** Escapes text content only: most texts contain more quotes than anything else, and these need no escaping there. */
export function escapeText(text: string): string {
  const safe = text.includes('&') ? text.replaceAll('&', '&amp;') : text
  return safe.includes('<') ? safe.replaceAll('<', '&lt;') : safe
}

/** Escapes text and double-quoted attribute values, for HTML and XML. */
export function escapeHtml(text: string): string {
  return ESCAPED.test(text)
    ? text.replace(EACH_ESCAPED, (character) => ENTITIES[character] ?? character)
    : text
}

/** Matches words that may be wider than their container. */
const LONG_WORD = /[^\s<>]{18,}/g
const PARTS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[_./:])(?=[A-Za-z0-9])/

/** Adds break opportunities to long names, but only between their parts (`createUser|Account`). */
export function insertBreaks(html: string): string {
  return html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<') ? part : part.replace(LONG_WORD, (word) => word.split(PARTS).join('<wbr>')),
    )
    .join('')
}

/** Writes ` name="value"` for each; true gives a bare name; false, null and undefined are omitted. */
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
