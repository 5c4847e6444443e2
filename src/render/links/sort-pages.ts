/** Sorts pages in navigation order. Pages outside of the navigation are last, sorted by route. */
import type { NavItem, Site, SitePage } from '../../site/model.ts'

export function sortByReadingOrder(site: Site, pages: readonly SitePage[]): SitePage[] {
  const positions = new Map<string, number>()
  for (const sidebar of site.sidebars) for (const item of sidebar.items) collect(item, positions)
  const last = positions.size
  return [...pages].sort((a, b) => (positions.get(a.route) ?? last) - (positions.get(b.route) ?? last))
}

function collect(item: NavItem, positions: Map<string, number>): void {
  if (item.kind === 'link') return
  const route = item.kind === 'page' ? item.route : item.root
  if (route !== null && !positions.has(route)) positions.set(route, positions.size)
  if (item.kind === 'group') for (const inner of item.items) collect(inner, positions)
}
