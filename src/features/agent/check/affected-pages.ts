/** Selects the pages affected by file changes. */
import type { Problem } from '../../../base/errors/problem.ts'
import type { Site, SitePage } from '../../../site/model.ts'
import { listReachableModules } from '../../../site/pages/imports.ts'

interface Sides {
  before: { site: Site | null }
  after: { site: Site | null }
  changed: ReadonlySet<string>
}

/**
 * Lists the affected pages before and after a change. Pages whose own file changed come first, then pages that import a
 * changed file, are generated from a changed API description, or belong to a site whose variables changed. The second
 * group fills the list up to `max` pages in total. A page that exists on both sides is in both lists.
 */
export function findAffectedPages(
  { before, after, changed }: Sides,
  max: number,
): { before: SitePage[]; after: SitePage[] } {
  const isEverywhere = serializeVariables(before.site) !== serializeVariables(after.site)
  const routes = new Set<string>()
  let limit = max
  for (const isOwn of [true, false]) {
    for (const site of [after.site, before.site]) {
      for (const page of site?.pages.values() ?? []) {
        const isReached = isOwn
          ? isOwnChanged(page, changed)
          : isEverywhere || isReachedBy(site, page, changed)
        if (isReached) routes.add(page.route)
      }
    }
    if (isOwn) limit = Math.max(max, routes.size)
  }
  const ofSite = (site: Site | null) =>
    [...routes].slice(0, limit).flatMap((route) => {
      const page = site?.pages.get(route)
      return page && (page.file !== null || page.operation !== null) ? [page] : []
    })
  return { before: ofSite(before.site), after: ofSite(after.site) }
}

/**
 * Returns whether the change caused a problem. If the file of a compile problem neither changed nor imports a changed
 * file, the problem existed before, even if it was not reported.
 */
export function isCausedByChange(
  site: Site | null,
  changed: ReadonlySet<string>,
  { file }: Problem,
): boolean {
  if (changed.has(file) || site === null || file === 'docs.json') return true
  if (listReachableModules(site, file).some(({ path }) => changed.has(path))) return true
  return [...site.pages.values()].some((page) => page.file === file)
}

function isOwnChanged(page: SitePage, changed: ReadonlySet<string>): boolean {
  return page.file !== null && changed.has(page.file)
}

function isReachedBy(site: Site | null, page: SitePage, changed: ReadonlySet<string>): boolean {
  if (page.operation !== null && changed.has(page.operation.spec)) return true
  if (site === null || page.file === null) return false
  return listReachableModules(site, page.file).some(({ path }) => changed.has(path))
}

function serializeVariables(site: Site | null): string {
  return JSON.stringify(Object.entries(site?.config.variables ?? {}).sort())
}
