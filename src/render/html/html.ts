/** HTML as text: what is escaped, and where long names may be divided. */
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const ESCAPED = /[&<>"]/
const EACH_ESCAPED = /[&<>"]/g

/** All that a text of a page needs: most of them hold more quotes than anything else. */
export function escapeText(text: string): string {
  const safe = text.includes('&') ? text.replaceAll('&', '&amp;') : text
  return safe.includes('<') ? safe.replaceAll('<', '&lt;') : safe
}

/** For text and for attribute values in double quotes, of HTML and of XML. */
export function escapeHtml(text: string): string {
  return ESCAPED.test(text)
    ? text.replace(EACH_ESCAPED, (character) => ENTITIES[character] ?? character)
    : text
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

/** ` name="value"` for each; true gives a bare name, false, null and undefined give nothing. */
export function attributesText(
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  let html = ''
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue
    html += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return html
}
