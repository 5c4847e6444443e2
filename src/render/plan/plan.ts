/** Selects the pages to render and their file names. */
import type { Site, SitePage } from '../../site/model.ts'
import { findRedirect } from '../../site/navigation/redirects.ts'
import { HEADERS_FILE, SERVE_FILE } from '../hosting/hosting-recipes.ts'
import { routeUrl } from '../links/links.ts'
import { sortByReadingOrder } from '../links/sort-pages.ts'
import { BUILT_IN_FOLDER } from '../machinery/built-ins.ts'
import { SBOM_FILE } from '../outputs/software-bill.ts'
import type { RenderInput } from '../page/render-input.ts'
import { nameOutputs, type OutputNames } from '../versions/output-names.ts'

export interface RenderPlan {
  pages: readonly SitePage[]
  included: ReadonlySet<string>
  names: OutputNames
  /** Target of `/`; null if the site has a page there, or if there are no pages. */
  start: string | null
}

/** Names of a bundle's own files, which files of the site must not use. */
const RESERVED_FILES = ['manifest.json', 'manifest.json.sig', SERVE_FILE, HEADERS_FILE, SBOM_FILE]

/** Returns all pages with content, restricted to `paths`. */
export function planPages({
  site,
  deployment,
  paths,
}: Pick<RenderInput, 'site' | 'deployment' | 'paths'>): RenderPlan {
  const requestedPaths = paths ? new Set(paths) : null
  const pages = [...site.pages.values()].filter(
    (page) => hasContent(page) && (requestedPaths === null || requestedPaths.has(page.route)),
  )
  return {
    pages,
    start: findStartPath(site, pages),
    included: new Set(pages.map((page) => page.route)),
    names: nameOutputs(selectNameableFiles(site), deployment, deployment === 'cloud' ? [] : RESERVED_FILES),
  }
}

/** Returns false for a page that is only a link in the navigation. */
function hasContent(page: SitePage): boolean {
  return page.file !== null || page.operation !== null || page.text !== null
}

/**
 * Omits pages without content, and assets in the folder of built-in files, for example from an old export.
 */
function selectNameableFiles(site: Site): Pick<Site, 'pages' | 'assets'> {
  return {
    pages: new Map([...site.pages].filter(([, page]) => hasContent(page))),
    assets: new Set([...site.assets].filter((asset) => !asset.startsWith(`${BUILT_IN_FOLDER}/`))),
  }
}

/**
 * Returns the target of `/` on hosted sites, in previews and in bundles: the destination of a redirect, the
 * home page, or the first visible page in reading order. Returns null if there is a page at `/`, or no page.
 */
export function findStartPath(site: Site, pages: readonly SitePage[]): string | null {
  const routes = new Set(pages.map(({ route }) => route))
  if (routes.has('/')) return null
  const destination = findRedirect(site.redirects, '/')?.destination ?? '/'
  if (destination !== '/') return destination
  const route = startRoute(site, pages)
  return route === null ? null : routeUrl(site, route)
}

/** Returns the route of the home page or, if that is not included, of the first page, preferably a visible one. */
function startRoute(site: Site, pages: readonly SitePage[]): string | null {
  const home = pages.find(({ route }) => route === site.homeRoute)
  const ordered = home ? [home] : sortByReadingOrder(site, pages)
  return (ordered.find(({ isHidden }) => !isHidden) ?? ordered[0])?.route ?? null
}
