/** What the pieces of the layout share: the site, look-ups over it, and the two steps that finish HTML. */
import type { SiteConfig } from '../../site/config.ts'
import type { Sidebar, Site, SitePage } from '../../site/model.ts'
import type { LayoutInput } from './layout-input.ts'
import type { UiText } from './ui-text.ts'
import { uiText } from './ui-text.ts'

export interface SiteView {
  input: LayoutInput
  site: Site
  sidebar(id: string): Sidebar | null
  /** The sidebar a page is shown with; a page outside of the navigation gets the first one of its language. */
  sidebarOf(page: SitePage): Sidebar | null
  text(language: string): UiText
  /** Settings of the chrome that a language may replace. */
  chrome(language: string): Pick<SiteConfig, 'banner' | 'footer' | 'navbar'>
  /** Icons inlined, links made those of the deployment. */
  finish(html: string, depth: number): string
}

export function createSiteView(input: LayoutInput): SiteView {
  const { site } = input
  const sidebars = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
  const texts = new Map<string, UiText>()
  return {
    input,
    site,
    sidebar: (id) => sidebars.get(id) ?? null,
    sidebarOf: (page) => {
      const placed = page.placements[0] ? sidebars.get(page.placements[0].sidebar) : undefined
      return placed ?? nearestSidebar(site, page)
    },
    text: (language) => {
      const known = texts.get(language)
      if (known) return known
      const made = uiText(language)
      texts.set(language, made)
      return made
    },
    chrome: (language) => {
      const { banner, footer, navbar } = site.config
      return { banner, footer, navbar, ...site.config.languages[language] }
    },
    finish: (html, depth) => input.rewriteLinks(input.inlineIcons(html), depth),
  }
}

/** How many folders deep the file of a page lies: `/` and `/a` lie in the root. */
export function depthOf(route: string): number {
  return Math.max(0, route.split('/').length - 2)
}

/** The sidebar of the placed page whose route shares most with this one. */
function nearestSidebar(site: Site, page: SitePage): Sidebar | null {
  const ofLanguage = site.sidebars.filter((sidebar) => sidebar.language === page.language)
  const candidates = ofLanguage.length > 0 ? ofLanguage : site.sidebars
  if (candidates.length < 2) return candidates[0] ?? null
  const ids = new Map(candidates.map((sidebar) => [sidebar.id, sidebar]))
  const parts = page.route.split('/')
  let best: Sidebar | null = candidates[0] ?? null
  let bestShared = 1 // the empty part before the first slash is always shared
  for (const other of site.pages.values()) {
    const sidebar = ids.get(other.placements[0]?.sidebar ?? '')
    if (!sidebar) continue
    const shared = sharedParts(parts, other.route.split('/'))
    if (shared > bestShared) {
      bestShared = shared
      best = sidebar
    }
  }
  return best
}

function sharedParts(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}
