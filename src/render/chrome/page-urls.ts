/** Absolute URLs of pages and related files. */
import type { SitePage } from '../../site/model.ts'
import type { SiteView } from './site-view.ts'
/** Returns null for a path if the site's origin is unknown. */
export function toAbsoluteUrl(view: SiteView, value: string): string | null {
  const text = value.trim()
  if (/^https?:\/\//i.test(text)) return text
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || view.input.origin === null) return null
  return `${view.input.origin}/${encodeURI(text.replace(/^(?:\.?\/)+/, ''))}`
}

/** Canonical URL of a page; null if there is no origin. */
export function getCanonicalUrl(view: SiteView, page: SitePage): string | null {
  if (typeof page.frontmatter.canonical === 'string') return page.frontmatter.canonical
  const base = getSiteBaseUrl(view)
  if (base === null) return null
  const path = encodeURI(page.route)
  if (path === '/') return `${base}/`
  return `${base}${path}${view.site.config.seo.trailingSlash ? '/' : ''}`
}

/** `seo.metatags.canonical` or else the origin, without a trailing slash. */
export function getSiteBaseUrl(view: SiteView): string | null {
  const base = view.site.config.seo.metatags.canonical ?? view.input.origin
  return base?.replace(/(?<!\/)\/+$/, '') || null
}
