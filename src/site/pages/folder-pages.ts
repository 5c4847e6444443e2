/** Resolves a link to a folder without an index page to its first page, in navigation order. */
import type { NavItem, Sidebar, Site } from '../model.ts'

const foldersBySidebars = new WeakMap<readonly Sidebar[], ReadonlyMap<string, string>>()

/** Returns the route of the first page; null if the navigation has no page in the folder. */
export function findFolderPage(
  { pages, sidebars }: Pick<Site, 'pages'> & Partial<Pick<Site, 'sidebars'>>,
  folder: string,
): string | null {
  const route = sidebars && indexFolderPages(sidebars).get(folder)
  return route !== undefined && pages.has(route) ? route : null
}

/** Returns the first page of each folder, keyed by folder. */
export function indexFolderPages(sidebars: readonly Sidebar[]): ReadonlyMap<string, string> {
  const folders = foldersBySidebars.get(sidebars) ?? indexFolders(sidebars)
  foldersBySidebars.set(sidebars, folders)
  return folders
}

function indexFolders(sidebars: readonly Sidebar[]): Map<string, string> {
  const first = new Map<string, string>()
  const walk = (items: readonly NavItem[]) => {
    for (const item of items) {
      if (item.kind === 'page') add(item.route)
      if (item.kind !== 'group' || item.isHidden) continue
      if (item.root !== null) add(item.root)
      walk(item.items)
    }
  }
  const add = (route: string) => {
    for (let end = route.lastIndexOf('/'); end > 0; end = route.lastIndexOf('/', end - 1)) {
      const folder = route.slice(0, end)
      if (!first.has(folder)) first.set(folder, route)
    }
  }
  for (const { items } of sidebars) walk(items)
  return first
}
