/** The one escaping function of the theme: for text and for attribute values in double quotes alike. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

/** Characters of a word that may be wider than its place. */
const LONG_WORD = /[^\s<>]{18,}/g
const PARTS = /(?<=[a-z0-9])(?=[A-Z])|(?<=[_./:])(?=[A-Za-z0-9])/

/** HTML whose long names may be divided where their parts meet (`createUser|Account`), and not between any two letters. */
export function withBreaks(html: string): string {
  return html
    .split(/(<[^<>]*>)/)
    .map((part) =>
      part.startsWith('<') ? part : part.replace(LONG_WORD, (word) => word.split(PARTS).join('<wbr>')),
    )
    .join('')
}

export type AttributeValue = string | number | boolean | null | undefined

/** ` name="value"` for each; true gives a bare name, false, null and undefined give nothing. */
export function attributes(values: Record<string, AttributeValue>): string {
  let html = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    html += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return html
}
