/** Finds the same page in another language, version or product, in a few look-ups even on large sites. */
import type { NavChoice, NavLevel, Site, SitePage } from '../../site/model.ts'

export interface Counterparts {
  /** Returns null if the choice has no such page. */
  exact(page: SitePage, level: NavLevel, choice: NavChoice): string | null
}

/** Pages of a choice, and their common folder. */
interface ChoicePages {
  routes: ReadonlySet<string>
  folder: string
}

/**
 * A counterpart has the same path below its choice's folder, or else a path with one segment replaced, added or
 * removed. The first pages of two choices are counterparts too.
 */
export function createCounterparts({ site }: { site: Pick<Site, 'pages'> }): Counterparts {
  let bySidebar: ReadonlyMap<string, string[]> | null = null
  let masks: ReadonlyMap<string, string[]> | null = null
  const pagesByChoice = new WeakMap<NavChoice, ChoicePages>()
  const pagesOf = (choice: NavChoice): ChoicePages => {
    let pages = pagesByChoice.get(choice)
    if (!pages) {
      bySidebar ??= groupRoutesBySidebar(site)
      const lists = bySidebar
      const routes = new Set(choice.sidebars.flatMap((sidebar) => lists.get(sidebar) ?? []))
      pages = { routes, folder: findCommonFolder(routes) }
      pagesByChoice.set(choice, pages)
    }
    return pages
  }
  const likeliest = (route: string, allowedRoutes: ReadonlySet<string>): string | null => {
    masks ??= groupRoutesByMask(site)
    const byMask = masks
    const alike = [...(byMask.get(`+${route}`) ?? [])]
    for (const mask of listMasks(route)) {
      alike.push(...(mask.startsWith('+') ? [mask.slice(1)] : (byMask.get(mask) ?? [])))
    }
    return alike.filter((other) => allowedRoutes.has(other)).reduce<string | null>(pickLonger, null)
  }
  return {
    exact: (page, level, choice) => {
      const there = pagesOf(choice)
      if (there.routes.has(page.route) && level.kind !== 'languages') return page.route
      const own = level.active === null ? undefined : level.choices[level.active]
      const here = own && pagesOf(own)
      if (here && page.route.startsWith(here.folder)) {
        const route = there.folder + page.route.slice(here.folder.length)
        if (there.routes.has(route)) return route
      }
      const alike = likeliest(page.route, there.routes)
      if (alike !== null) return alike
      return own?.href === page.route && choice.href !== null && there.routes.has(choice.href)
        ? choice.href
        : null
    },
  }
}

/** Lazy: sites without languages, versions and products never call it. */
function groupRoutesBySidebar({ pages }: Pick<Site, 'pages'>): Map<string, string[]> {
  const bySidebar = new Map<string, string[]>()
  for (const { route, placements } of pages.values())
    for (const { sidebar } of placements) addTo(bySidebar, sidebar, route)
  return bySidebar
}

/** Lazy: most sites never call it. */
function groupRoutesByMask({ pages }: Pick<Site, 'pages'>): Map<string, string[]> {
  const byMask = new Map<string, string[]>()
  for (const { route, placements } of pages.values()) {
    if (placements.length === 0) continue
    for (const mask of listMasks(route)) addTo(byMask, mask, route)
  }
  return byMask
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/**
 * Returns `/a/b/c` with each segment except the last replaced by `*`, and with each except the last removed, marked
 * by `+`. The last segment names the page, so it must not change.
 */
function listMasks(route: string): string[] {
  const parts = route.split('/').slice(1)
  const masks: string[] = []
  for (let i = 0; i < parts.length - 1; i++) {
    const before = parts
      .slice(0, i)
      .map((part) => `/${part}`)
      .join('')
    const after = parts
      .slice(i + 1)
      .map((part) => `/${part}`)
      .join('')
    masks.push(`${before}/*${after}`, `+${before}${after}`)
  }
  return masks
}

/** Returns the longer path; `best` if both are equally long. */
function pickLonger(best: string | null, other: string): string {
  return best === null || other.length > best.length ? other : best
}

/** Returns `/v2` for `/v2/a` and `/v2/b/c`; empty if there is no common folder. */
function findCommonFolder(routes: ReadonlySet<string>): string {
  let common: string[] | null = null
  for (const route of routes) {
    const folders = route.split('/').slice(0, -1)
    if (common === null) common = folders
    else {
      let shared = 0
      while (shared < common.length && shared < folders.length && common[shared] === folders[shared]) shared++
      common = common.slice(0, shared)
    }
  }
  return (common ?? []).join('/')
}
