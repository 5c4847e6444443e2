/** Formats parts of Markdown with the escaping for their context. */

/** Marks URLs of the site until its location is known. If content contains this character, it is removed. */
const SITE_URL_MARKER = '\u0002'

/** Fast check for characters to escape or white space to collapse. Most texts contain neither. */
const ESCAPED_OR_WIDE = /[\\`*<\]_~\u0002]|[^\S ]| {2}/
const WIDE_SPACE = /[^\S ]| {2}/

/** Escapes Markdown syntax. Underscores within words need no escaping. */
export function escapeMarkdown(text: string): string {
  if (!ESCAPED_OR_WIDE.test(text)) return text
  return collapseSpaces(text.replaceAll(SITE_URL_MARKER, '')).replace(
    /[\\`*](?=\S)|(?<=\S)[`*]|<(?=[a-zA-Z/!?])|\](?=[([])|(?<!\p{L}|\p{N})_(?=\S)|~~/gu,
    '\\$&',
  )
}

export function toSingleLine(text: string): string {
  return collapseSpaces(text).trim()
}

export function collapseSpaces(text: string): string {
  return WIDE_SPACE.test(text) ? text.replace(/[^\S ]\s*| \s+/g, ' ') : text
}

export function codeSpan(text: string): string {
  const inner = collapseSpaces(text.replaceAll(SITE_URL_MARKER, ''))
  if (inner.trim() === '') return ''
  const mark = '`'.repeat(longestRun(inner, '`') + 1)
  const space = inner.startsWith('`') || inner.endsWith('`') ? ' ' : ''
  return mark + space + inner + space + mark
}

export function fence(code: string, language: string, title: string | null): string {
  const text = code.replaceAll(SITE_URL_MARKER, '')
  const mark = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  const word = language.replace(/[\s`]+/g, '')
  // Without a language, the first word of the title would be parsed as the language.
  const info = title ? `${word || 'text'} ${title.replace(/[\s`]+/g, ' ').trim()}` : word
  return `${mark}${info}\n${text}\n${mark}`
}

function longestRun(text: string, character: string): number {
  let longest = 0
  if (!text.includes(character)) return longest
  for (let i = 0, run = 0; i < text.length; i++) {
    run = text.charAt(i) === character ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** `label` is Markdown. URLs of the site are marked, unless `isMarked` is false because they are final. */
export function linkTo(label: string, address: string, isMarked = true): string {
  const clean = encodeSpaces(address.replaceAll(SITE_URL_MARKER, '').trim())
  if (/^(?:javascript|vbscript|data):/i.test(clean)) return label
  const isOfSite = isMarked && clean.startsWith('/') && !clean.startsWith('//')
  return `[${label}](${isOfSite ? SITE_URL_MARKER : ''}${clean})`
}

/** Encodes characters that would end a URL in parentheses. */
function encodeSpaces(address: string): string {
  return address.replace(
    /[\s<>()\\\u0000-\u001f]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** Replaces marked URLs with the result of `hrefOf`, which receives `/path?query#fragment`. */
export function resolveSiteLinks(markdown: string, hrefOf: (href: string) => string): string {
  return markdown.replace(/\u0002([^\s)]*)/g, (_, href: string) => encodeSpaces(hrefOf(href)))
}

export function prefixLines(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => (prefix + line).trimEnd())
    .join('\n')
}

/** Indents every line except the first. */
export function indentLines(text: string, width: number): string {
  return text.includes('\n') ? text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(width)}`) : text
}
