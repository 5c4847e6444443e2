/** Groups with a page that lists their content. */
import type { NavGroup, NavItem, Site } from '../../site/model.ts'

/** Returns groups by the route of their page. If several groups have the same page, the first one is used. */
export function indexDirectories(site: Site): ReadonlyMap<string, NavGroup> {
  const groups = new Map<string, NavGroup>()
  const walk = (items: readonly NavItem[]) => {
    for (const item of items) {
      if (item.kind !== 'group') continue
      if (item.root !== null && item.directory !== 'none' && !groups.has(item.root))
        groups.set(item.root, item)
      walk(item.items)
    }
  }
  for (const { items } of site.sidebars) walk(items)
  return groups
}

export interface DirectoryEntry {
  title: string
  href: string | null
  description: string | null
  item: NavItem
}

/** Omits hidden entries. */
export function listDirectoryEntries(site: Site, items: readonly NavItem[]): DirectoryEntry[] {
  return items.flatMap((item): DirectoryEntry[] => {
    if (item.kind === 'link') return [{ title: item.label, href: item.href, description: null, item }]
    if (item.kind === 'group') {
      const root = item.root === null ? undefined : site.pages.get(item.root)
      const href = item.root ?? findFirstPage(item.items)
      return item.isHidden ? [] : [{ title: item.label, href, description: root?.description ?? null, item }]
    }
    const page = site.pages.get(item.route)
    if (!page || page.isHidden) return []
    return [{ title: page.sidebarTitle, href: page.url ?? page.route, description: page.description, item }]
  })
}

/** Returns the route of the first page, including pages in nested groups. */
export function findFirstPage(items: readonly NavItem[]): string | null {
  for (const item of items) {
    if (item.kind === 'page') return item.route
    const inner = item.kind === 'group' && !item.isHidden ? (item.root ?? findFirstPage(item.items)) : null
    if (inner !== null) return inner
  }
  return null
}
