/**
 * `llms.txt` of a section: `/guides/llms.txt` lists the pages below `/guides/`. `/fr/llms.txt` and `/v1/llms.txt` do
 * so for a language and a version, which the list of the whole site omits.
 */

import type { Site, SitePage } from '../../site/model.ts'
import { createRouteTitle } from '../../site/navigation/routes.ts'
import { isIndexed } from '../../site/pages/make-pages.ts'
import { listDivisions } from './write-page-list.ts'

export interface SectionPages {
  /** Folder of its pages: `guides`, `fr/guides`. */
  folder: string
  title: string
  /** In the given order. */
  pages: readonly SitePage[]
}

/** Maximum depth of folders with a list; deeper ones would only repeat the outer lists. */
const MAX_FOLDER_DEPTH = 2
/** A list of a single page has no use. */
const MIN_PAGES = 2
const MAX_SECTIONS = 200

/** `pages` must be in reading order; sections are ordered by their first pages, outer ones first. */
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
  const divisions = listDivisions(site)
  const isOwn = (folder: string, found: readonly SitePage[]) => {
    const outer = folders.get(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
    return found.length >= MIN_PAGES && found.length !== outer?.length
  }
  return [...folders]
    .filter(([folder, found]) => isOwn(folder, found))
    .slice(0, MAX_SECTIONS)
    .map(([folder, found]) => ({ folder, title: createTitle(site, divisions, folder, found), pages: found }))
}

/** Returns the navigation label shared by all these pages, else the name of the folder. */
function createTitle(
  site: Site,
  divisions: ReturnType<typeof listDivisions>,
  folder: string,
  pages: readonly SitePage[],
): string {
  const trails = pages.map(({ placements: [placement] }) => {
    const { version = null, labels = [] } = divisions.get(placement?.sidebar ?? '') ?? {}
    return [...(version === null ? [] : [version]), ...labels, ...(placement?.groups ?? [])]
  })
  const shared = (trails[0] ?? []).filter((label, index) => trails.every((trail) => trail[index] === label))
  return shared.at(-1) ?? createRouteTitle(`/${folder}`, site.config.name)
}
