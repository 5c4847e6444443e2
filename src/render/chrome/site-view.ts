/** Site data for all parts of the layout. */

import type { NavGroup, Sidebar, Site, SitePage } from '../../site/model.ts'
import type { SiteConfig } from '../../site/settings/config.ts'
import type { Markup } from '../html/markup.ts'
import { indexDirectories } from '../links/directories.ts'
import type { UiText } from '../words/english.ts'
import { uiText } from '../words/ui-text.ts'
import type { LayoutInput } from './layout-input.ts'
import { slottedText } from './slots.ts'

export interface SiteView {
  input: LayoutInput
  site: Site
  sidebar(id: string): Sidebar | null
  /** Returns the sidebar of a page or, if it is not in the navigation, the nearest sidebar of its language. */
  sidebarOf(page: SitePage): Sidebar | null
  /** Returns the group that has this page as its root, or null. */
  directoryOf(page: SitePage): NavGroup | null
  text(language: string): UiText
  /** Returns settings of the layout that may depend on the language. */
  chrome(language: string): Pick<SiteConfig, 'banner' | 'footer' | 'navbar'>
  finish: LayoutInput['finish']
  /** Returns the final text of markup that contains no slots. */
  finishedText(markup: Markup, depth: number): string
}

export function createSiteView(input: LayoutInput): SiteView {
  const { site } = input
  const sidebars = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
  const texts = new Map<string, UiText>()
  const directories = indexDirectories(site)
  let nearest: ReturnType<typeof createNearestSidebar> | null = null
  return {
    input,
    site,
    sidebar: (id) => sidebars.get(id) ?? null,
    sidebarOf: (page) => {
      const sidebar = page.placements[0] ? sidebars.get(page.placements[0].sidebar) : undefined
      if (sidebar) return sidebar
      nearest ??= createNearestSidebar(site)
      return nearest(page)
    },
    directoryOf: (page) => directories.get(page.route) ?? null,
    text: (language) => {
      const known = texts.get(language)
      if (known) return known
      const languageTexts = uiText(language)
      texts.set(language, languageTexts)
      return languageTexts
    },
    chrome: (language) => {
      const { banner, footer, navbar } = site.config
      return { banner, footer, navbar, ...site.config.languages[language] }
    },
    finish: input.finish,
    finishedText: (markup, depth) => slottedText(input.finish(markup, depth)).text,
  }
}

/** Returns the number of folders that contain the file of a page: 0 for `/` and `/a`. */
export function getDepth(route: string): number {
  return Math.max(0, route.split('/').length - 2)
}

/**
 * Returns the sidebar of the page that shares the longest path with this page or, by default, the first sidebar
 * of the language.
 */
function createNearestSidebar(site: Site): (page: SitePage) => Sidebar | null {
  const byFolder = new Map<string, Sidebar>()
  const firsts = new Map<string, Sidebar>()
  const known = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
  for (const sidebar of site.sidebars)
    if (!firsts.has(sidebar.language)) firsts.set(sidebar.language, sidebar)
  for (const { route, placements } of site.pages.values()) {
    const sidebar = known.get(placements[0]?.sidebar ?? '')
    if (!sidebar) continue
    for (const folder of listFolders(route)) {
      const key = `${sidebar.language} ${folder}`
      if (!byFolder.has(key)) byFolder.set(key, sidebar)
    }
  }
  return (page) => {
    for (const folder of listFolders(page.route)) {
      const found = byFolder.get(`${page.language} ${folder}`)
      if (found) return found
    }
    return firsts.get(page.language) ?? site.sidebars[0] ?? null
  }
}

/** Returns `/a/b/c`, `/a/b`, `/a` for `/a/b/c`. */
function listFolders(route: string): string[] {
  const folders: string[] = []
  for (let path = route; path.length > 1; path = path.slice(0, path.lastIndexOf('/'))) folders.push(path)
  return folders
}
