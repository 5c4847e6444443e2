/**
 * Writes `llms.txt` of sections: `/guides/llms.txt` lists the pages below `/guides/`. `/fr/llms.txt` and
 * `/v1/llms.txt` list the pages of a language and a version, which the list of the whole site omits.
 */

import type { Site, SitePage } from '../../site/model.ts'
import { createRouteTitle } from '../../site/navigation/routes.ts'
import { isIndexed } from '../../site/pages/visibility.ts'
import { listNavigationLabels } from './write-page-list.ts'

export interface SectionPages {
  /** Folder of the pages: `guides`, `fr/guides`. */
  folder: string
  title: string
  pages: readonly SitePage[]
}

/** Maximum depth of folders with a list. Lists of deeper folders would only repeat entries. */
const MAX_FOLDER_DEPTH = 2
/** A list of a single page is useless. */
const MIN_PAGES = 2
const MAX_SECTIONS = 200

/** Returns sections sorted by their first pages, outer sections first. `pages` must be in reading order. */
export function sectionPages(site: Site, pages: readonly SitePage[]): SectionPages[] {
  const folders = new Map<string, SitePage[]>()
  for (const page of pages.filter(isIndexed)) {
    const parts = page.route.split('/').slice(1)
    for (let depth = 1; depth <= Math.min(MAX_FOLDER_DEPTH, parts.length); depth++) {
      const folder = parts.slice(0, depth).join('/')
      const found = folders.get(folder) ?? []
      if (found.push(page) === 1) folders.set(folder, found)
    }
  }
  const navigationLabels = listNavigationLabels(site)
  const isOwn = (folder: string, found: readonly SitePage[]) => {
    const outer = folders.get(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
    return found.length >= MIN_PAGES && found.length !== outer?.length
  }
  return [...folders]
    .filter(([folder, found]) => isOwn(folder, found))
    .slice(0, MAX_SECTIONS)
    .map(([folder, found]) => ({
      folder,
      title: createTitle(site, navigationLabels, folder, found),
      pages: found,
    }))
}

/** Returns the navigation label that all pages share or, if none, the name of the folder. */
function createTitle(
  site: Site,
  navigationLabels: ReturnType<typeof listNavigationLabels>,
  folder: string,
  pages: readonly SitePage[],
): string {
  const trails = pages.map(({ placements: [placement] }) => {
    const { version = null, labels = [] } = navigationLabels.get(placement?.sidebar ?? '') ?? {}
    return [...(version === null ? [] : [version]), ...labels, ...(placement?.groups ?? [])]
  })
  const shared = (trails[0] ?? []).filter((label, index) => trails.every((trail) => trail[index] === label))
  return shared.at(-1) ?? createRouteTitle(`/${folder}`, site.config.name)
}
