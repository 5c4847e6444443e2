/**
 * Functions for the unparsed navigation: the pages that it may name, and a default for a site without
 * navigation.
 */
import { getField, isFields, isList, type JsonNode } from '../json.ts'
import type { PageIndex } from '../pages/page-index.ts'
import { compareText } from '../problems.ts'
import { createGroup, type NavigationTree, type RawItem } from './navigation-tree.ts'
import { createEntry } from './read-nav-items.ts'
import { createRouteTitle, normalizePagePath } from './routes.ts'

/** Returns the paths, without extension, of everything in the navigation that may be a page. */
export function namedPages(root: JsonNode): ReadonlySet<string> {
  const names = new Set<string>()
  collectNames(getField(root, 'navigation'), null, names)
  return names
}

function collectNames(node: JsonNode | undefined, key: string | null, names: Set<string>): void {
  if (!node) return
  if (typeof node.value === 'string') {
    if (key === 'pages' || key === 'root' || key === 'page') names.add(normalizePagePath(node.value))
    return
  }
  if (isList(node.value)) for (const item of node.value) collectNames(item, key, names)
  if (isFields(node.value)) for (const [name, value] of node.value) collectNames(value, name, names)
}

export function navigationOfFiles(root: JsonNode, index: PageIndex): NavigationTree {
  const routes = [...index.files.keys()].sort(compareText)
  const byFolder = Map.groupBy(routes, (route) =>
    route.indexOf('/', 1) === -1 ? '' : (route.split('/', 2)[1] ?? ''),
  )
  const items: RawItem[] = []
  for (const [folder, members] of byFolder) {
    const entries = members.map((route) => createEntry(route === '/' ? '/index' : route, root))
    if (folder === '') items.push(...entries)
    else items.push(createGroup(createRouteTitle(`/${folder}`, folder), entries))
  }
  return { content: { kind: 'leaf', items }, globals: [], directory: null, boost: null }
}
