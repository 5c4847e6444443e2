/** Renders links in the layout. */
import type { Markup } from '../html/markup.ts'
import { type AttributeValue, attributes } from '../html/template.ts'

export function isExternalHref(href: string | null): boolean {
  return href !== null && /^(?:https?:)?\/\//i.test(href)
}

/** Returns the attributes of a link. Links to other sites open in a new tab. */
export function linkAttributes(
  href: string | null,
  state: Readonly<Record<string, AttributeValue>> = {},
): Markup {
  const outward = isExternalHref(href) && { target: '_blank', rel: 'noreferrer' }
  return attributes({ href, ...state, ...outward })
}
