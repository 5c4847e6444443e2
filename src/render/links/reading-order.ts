/** Sorts pages in navigation order; pages outside the navigation come last, by route. */
import type { NavItem, Site, SitePage } from '../../site/model.ts'

export function sortByReadingOrder(site: Site, pages: readonly SitePage[]): SitePage[] {
  const places = new Map<string, number>()
  for (const sidebar of site.sidebars) for (const item of sidebar.items) collect(item, places)
  const last = places.size
  return [...pages].sort((a, b) => (places.get(a.route) ?? last) - (places.get(b.route) ?? last))
}

function collect(item: NavItem, places: Map<string, number>): void {
  if (item.kind === 'link') return
  const route = item.kind === 'page' ? item.route : item.root
  if (route !== null && !places.has(route)) places.set(route, places.size)
  if (item.kind === 'group') for (const inner of item.items) collect(inner, places)
}
