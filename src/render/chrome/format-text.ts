/** Formats short texts of authors in the layout: titles, descriptions, the banner. */
import { inlineMarkup } from '../html/inline-markup.ts'
import type { Markup } from '../html/markup.ts'
import { raw } from '../html/template.ts'
import { readMarkup } from '../html/write-html.ts'

export function formatText(text: string): Markup {
  const html = inlineMarkup(text)
  // Without links there are no URLs to process.
  return html.includes('<a ') ? readMarkup(html) : raw(html)
}

/** Formats text without links, for use inside a link. */
export function formatLabel(text: string): Markup {
  return raw(inlineMarkup(text, { links: false }))
}
