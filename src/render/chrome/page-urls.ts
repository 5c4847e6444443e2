/** Absolute URLs of pages and related files. */
import type { SitePage } from '../../site/model.ts'
import type { SiteView } from './site-view.ts'
/** Returns null if the value is a path and the site's origin is unknown. */
export function toAbsoluteUrl(view: SiteView, value: string): string | null {
  const text = value.trim()
  if (/^https?:\/\//i.test(text)) return text
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || view.input.origin === null) return null
  return `${view.input.origin}/${encodeURI(text.replace(/^(?:\.?\/)+/, ''))}`
}

/** Returns null if the site's origin is unknown. */
export function getCanonicalUrl(view: SiteView, page: SitePage): string | null {
  if (typeof page.frontmatter.canonical === 'string') return page.frontmatter.canonical
  const base = getSiteBaseUrl(view)
  if (base === null) return null
  const path = encodeURI(page.route)
  if (path === '/') return `${base}/`
  return `${base}${path}${view.site.config.seo.trailingSlash ? '/' : ''}`
}

/** Returns `seo.metatags.canonical` or, by default, the origin, without a trailing slash. */
export function getSiteBaseUrl(view: SiteView): string | null {
  const base = view.site.config.seo.metatags.canonical ?? view.input.origin
  return base?.replace(/(?<!\/)\/+$/, '') || null
}
