/** Selects the pages to write and their names. */
import type { Site, SitePage } from '../../site/model.ts'
import { HEADERS_FILE, SERVE_FILE } from '../hosting/hosting-recipes.ts'
import { BUILT_IN_FOLDER } from '../machinery/built-ins.ts'
import { SBOM_FILE } from '../outputs/software-bill.ts'
import { startPlace } from '../outputs/start-place.ts'
import type { RenderInput } from '../page/render-input.ts'
import { nameOutputs, type OutputNames } from '../versions/output-names.ts'

export interface RenderPlan {
  /** In the order of the site. */
  pages: readonly SitePage[]
  /** Routes of the pages. */
  included: ReadonlySet<string>
  names: OutputNames
  /** Target of `/` if the site has nothing there; null if it has, or if there are no pages. */
  start: string | null
}

/** Reserved files of a bundle, even if the site contains files of the same name. */
const RESERVED_FILES = ['manifest.json', 'manifest.json.sig', SERVE_FILE, HEADERS_FILE, SBOM_FILE]

/** Returns all pages with content, or the requested ones among them. */
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
    start: startPlace(site, pages),
    included: new Set(pages.map((page) => page.route)),
    names: nameOutputs(nameable(site), deployment, deployment === 'cloud' ? [] : RESERVED_FILES),
  }
}

/** A page with neither file nor operation is a navigation entry that links elsewhere. */
function hasContent(page: SitePage): boolean {
  return page.file !== null || page.operation !== null || page.text !== null
}

/** Omits entries without a page, and files in the folder of built-in files, for example from an old export. */
function nameable(site: Site): Pick<Site, 'pages' | 'assets'> {
  return {
    pages: new Map([...site.pages].filter(([, page]) => hasContent(page))),
    assets: new Set([...site.assets].filter((asset) => !asset.startsWith(`${BUILT_IN_FOLDER}/`))),
  }
}
