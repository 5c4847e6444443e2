/** Finds the same page in another language, version or product. Uses indexes, to be fast on large sites. */
import type { NavChoice, NavLevel, Site, SitePage } from '../../site/model.ts'

export interface Counterparts {
  exact(page: SitePage, level: NavLevel, choice: NavChoice): string | null
}

interface ChoicePages {
  routes: ReadonlySet<string>
  folder: string
}

/**
 * Returns functions to find counterparts. A counterpart has the same path below the folder of its choice, or
 * a path with one segment replaced, added or removed. The first pages of two choices are counterparts as
 * well.
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

/** Created on demand, because sites without languages, versions and products do not need it. */
function groupRoutesBySidebar({ pages }: Pick<Site, 'pages'>): Map<string, string[]> {
  const bySidebar = new Map<string, string[]>()
  for (const { route, placements } of pages.values())
    for (const { sidebar } of placements) addTo(bySidebar, sidebar, route)
  return bySidebar
}

/** Created on demand, because most sites do not need it. */
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
 * Returns two masks for each segment of a route except the last. In one mask, `*` replaces the segment. The other one
 * lacks the segment and begins with `+`. The last segment names the page and must be equal.
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

function pickLonger(best: string | null, other: string): string {
  return best === null || other.length > best.length ? other : best
}

/** Returns the common folder, such as `/v2` for `/v2/a` and `/v2/b/c`. Empty if there is none. */
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
