/** Which pages are written, and under which names. */
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
  /** Their routes. */
  included: ReadonlySet<string>
  names: OutputNames
  /** Where `/` leads when nothing lies there; null when something does, or there is no page. */
  start: string | null
}

/** Files of a bundle that are ours whatever the site brings along. */
const OWN_FILES = ['manifest.json', 'manifest.json.sig', SERVE_FILE, HEADERS_FILE, SBOM_FILE]

/** All pages that have content, or those of them that were asked for. */
export function planPages({
  site,
  deployment,
  paths,
}: Pick<RenderInput, 'site' | 'deployment' | 'paths'>): RenderPlan {
  const wanted = paths ? new Set(paths) : null
  const pages = [...site.pages.values()].filter(
    (page) => hasContent(page) && (wanted === null || wanted.has(page.route)),
  )
  return {
    pages,
    start: startPlace(site, pages),
    included: new Set(pages.map((page) => page.route)),
    names: nameOutputs(nameable(site), deployment, deployment === 'cloud' ? [] : OWN_FILES),
  }
}

/** A page with neither file nor operation is an entry of the navigation that leads elsewhere. */
function hasContent(page: SitePage): boolean {
  return page.file !== null || page.operation !== null || page.text !== null
}

/** Without entries that have no page, and without what lies in the folder of our own files, such as an old export. */
function nameable(site: Site): Pick<Site, 'pages' | 'assets'> {
  return {
    pages: new Map([...site.pages].filter(([, page]) => hasContent(page))),
    assets: new Set([...site.assets].filter((asset) => !asset.startsWith(`${BUILT_IN_FOLDER}/`))),
  }
}
