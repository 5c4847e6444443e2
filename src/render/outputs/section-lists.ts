/**
 * `llms.txt` of a part of the site: `/guides/llms.txt` lists the pages below `/guides/`, and so do `/fr/llms.txt` and
 * `/v1/llms.txt` for a language and a version that the list of the whole site leaves out.
 */

import type { Site, SitePage } from '../../site/model.ts'
import { titleOfRoute } from '../../site/navigation/routes.ts'
import { isIndexed } from '../../site/pages/make-pages.ts'
import { divisionsOf } from './write-page-list.ts'

export interface SectionPages {
  /** `guides`, `fr/guides`: the folder that its pages lie below. */
  folder: string
  title: string
  /** In the order given. */
  pages: readonly SitePage[]
}

/** Folders that are looked at: more only repeat what the outer ones say. */
const DEEPEST = 2
/** A list of one page says no more than the page. */
const FEWEST_PAGES = 2
const MOST_SECTIONS = 200

/** `pages` in reading order; the sections come in the order in which their first pages do, outer ones first. */
export function sectionPages(site: Site, pages: readonly SitePage[]): SectionPages[] {
  const folders = new Map<string, SitePage[]>()
  for (const page of pages.filter(isIndexed)) {
    const parts = page.route.split('/').slice(1)
    for (let depth = 1; depth <= Math.min(DEEPEST, parts.length); depth++) {
      const folder = parts.slice(0, depth).join('/')
      const found = folders.get(folder) ?? []
      if (found.push(page) === 1) folders.set(folder, found)
    }
  }
  const divisions = divisionsOf(site)
  const isOwn = (folder: string, found: readonly SitePage[]) => {
    const outer = folders.get(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))))
    return found.length >= FEWEST_PAGES && found.length !== outer?.length
  }
  return [...folders]
    .filter(([folder, found]) => isOwn(folder, found))
    .slice(0, MOST_SECTIONS)
    .map(([folder, found]) => ({ folder, title: titleOf(site, divisions, folder, found), pages: found }))
}

/** What the navigation calls all of these pages together, else the name of the folder. */
function titleOf(
  site: Site,
  divisions: ReturnType<typeof divisionsOf>,
  folder: string,
  pages: readonly SitePage[],
): string {
  const places = pages.map(({ placements: [placement] }) => {
    const { version = null, labels = [] } = divisions.get(placement?.sidebar ?? '') ?? {}
    return [...(version === null ? [] : [version]), ...labels, ...(placement?.groups ?? [])]
  })
  const shared = (places[0] ?? []).filter((label, index) => places.every((place) => place[index] === label))
  return shared.at(-1) ?? titleOfRoute(`/${folder}`, site.config.name)
}
