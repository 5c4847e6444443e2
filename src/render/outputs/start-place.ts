/** Target of `/` on a site without a page there; the same rule for hosted sites, the preview and bundles. */
import type { Site, SitePage } from '../../site/model.ts'
import { findRedirect } from '../../site/navigation/redirects.ts'
import { routeUrl } from '../links/links.ts'
import { sortByReadingOrder } from '../links/reading-order.ts'

/**
 * Returns the target of a redirect from `/`, else the home page of the site, else the first available page in reading
 * order. Null if something is at `/`, or if there are no pages.
 */
export function startPlace(site: Site, pages: readonly SitePage[]): string | null {
  const routes = new Set(pages.map(({ route }) => route))
  if (routes.has('/')) return null
  const destination = findRedirect(site.redirects, '/')?.destination ?? '/'
  if (destination !== '/') return destination
  const route = startRoute(site, pages)
  return route === null ? null : routeUrl(site, route)
}

/** Returns the route of the start page; in a bundle of selected pages, this need not be the site's home page. */
function startRoute(site: Site, pages: readonly SitePage[]): string | null {
  const home = pages.find(({ route }) => route === site.homeRoute)
  const ordered = home ? [home] : sortByReadingOrder(site, pages)
  return (ordered.find(({ isHidden }) => !isHidden) ?? ordered[0])?.route ?? null
}
