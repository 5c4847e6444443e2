/** Short author texts in the chrome: titles, descriptions, the banner. */
import { inlineMarkup } from '../html/inline-markup.ts'
import type { Markup } from '../html/markup.ts'
import { raw } from '../html/template.ts'
import { readMarkup } from '../html/write-html.ts'

/** Formats a text, including links. */
export function formatText(text: string): Markup {
  const html = inlineMarkup(text)
  // Only links contain URLs.
  return html.includes('<a ') ? readMarkup(html) : raw(html)
}

/** Formats a text without links, for use within a link or where links are not allowed. */
export function formatLabel(text: string): Markup {
  return raw(inlineMarkup(text, { links: false }))
}
