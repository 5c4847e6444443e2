/** Lines of authors in the frame of a page: titles, descriptions, the banner. */
import { inlineMarkup } from '../html/inline-markup.ts'
import type { Markup } from '../html/markup.ts'
import { raw } from '../html/template.ts'
import { readMarkup } from '../html/write-html.ts'

/** With its links. */
export function formatted(text: string): Markup {
  const html = inlineMarkup(text)
  // Nothing else in it holds an address.
  return html.includes('<a ') ? readMarkup(html) : raw(html)
}

/** Inside of something that is itself a link, or no place for one. */
export function formattedLabel(text: string): Markup {
  return raw(inlineMarkup(text, { links: false }))
}
