/** What `/` leads to on a site without a page there: one rule for hosted sites, the preview and bundles. */
import type { Site, SitePage } from '../../site/model.ts'
import { findRedirect } from '../../site/navigation/redirects.ts'
import { routeUrl } from '../links/links.ts'
import { inReadingOrder } from '../links/reading-order.ts'

/**
 * Where the redirect of `/` leads, else the home page of the site, else the first page in reading order of those that
 * are there. Null when something lies at `/`, or nothing is there at all.
 */
export function startPlace(site: Site, pages: readonly SitePage[]): string | null {
  const routes = new Set(pages.map(({ route }) => route))
  if (routes.has('/')) return null
  const destination = findRedirect(site.redirects, '/')?.destination ?? '/'
  if (destination !== '/') return destination
  const route = startRoute(site, pages)
  return route === null ? null : routeUrl(site, route)
}

/** The page that stands for the whole: of a bundle of some pages, it need not be the home page of the site. */
function startRoute(site: Site, pages: readonly SitePage[]): string | null {
  const home = pages.find(({ route }) => route === site.homeRoute)
  const ordered = home ? [home] : inReadingOrder(site, pages)
  return (ordered.find(({ isHidden }) => !isHidden) ?? ordered[0])?.route ?? null
}
