/** Links in chrome. */
import type { Markup } from '../html/markup.ts'
import { type AttributeValue, attributes } from '../html/template.ts'

export function isExternalHref(href: string | null): boolean {
  return href !== null && /^(?:https?:)?\/\//i.test(href)
}

/** Attributes of a link. Other sites open in a tab of their own. */
export function linkTo(href: string | null, state: Readonly<Record<string, AttributeValue>> = {}): Markup {
  const outward = isExternalHref(href) && { target: '_blank', rel: 'noreferrer' }
  return attributes({ href, ...state, ...outward })
}
