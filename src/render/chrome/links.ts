/** Attributes of links in chrome. */

export function isExternalHref(href: string | null): boolean {
  return href !== null && /^(?:https?:)?\/\//i.test(href)
}

/** Other sites open in a tab of their own. */
export function outwardAttributes(href: string | null): string {
  return isExternalHref(href) ? ' target="_blank" rel="noreferrer"' : ''
}
