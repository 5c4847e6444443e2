/**
 * Converts the navigation, which is defined in mkdocs.yml or `.pages` files, or generated from the folders.
 */
import { posix } from 'node:path'
import type { FileTree } from '../../base/files/file-tree.ts'
import { readTextFile } from '../../site/text.ts'
import { readYaml } from '../../site/yaml.ts'
import { type NavGroup, type NavItem, type NavTab, omitUndefined } from '../imported-site.ts'
import { excerpt, type Notes } from '../notes.ts'
import { asFields, asItems, asText, type Fields } from '../values.ts'
import type { MkDocsConfig } from './config.ts'

export interface MkDocsPage {
  /** Path below the docs folder. */
  path: string
  importedPath: string
  title: string
  /** Label in the navigation, if different from the title. */
  label: string | null
}

export interface NavigationInput {
  config: MkDocsConfig
  pages: ReadonlyMap<string, MkDocsPage>
  makeLink(title: string, url: string): string
}

interface Making extends NavigationInput {
  notes: Notes
  orders: ReadonlyMap<string, Fields>
}

const MAX_DEPTH = 30

export async function readNavigation(
  tree: FileTree,
  notes: Notes,
  input: NavigationInput,
): Promise<Record<string, unknown>> {
  const { config } = input
  const orders = await readOrders(tree, notes, config.docsFolder)
  const context: Making = { ...input, notes, orders }
  const isWritten = Array.isArray(config.fields.nav)
  const hasTabs = config.features.has('navigation.tabs')
  const entries = isWritten ? asItems(config.fields.nav) : []
  const links = hasTabs ? entries.flatMap(linkTab) : []
  const others = entries.filter((entry) => !hasTabs || linkTab(entry).length === 0)
  const items = isWritten ? itemsFrom(context, others, '', 0) : listFolderItems(context, '', 0)
  if (isWritten) addUnlistedPageNotes(context, items)
  return hasTabs ? createTabs(items, links) : { pages: items }
}

/** Converts a top-level external link to a tab. */
function linkTab(entry: unknown): NavTab[] {
  return Object.entries(asFields(entry)).flatMap(([tab, target]) => {
    const href = asText(target)
    return href !== null && /^https?:\/\//i.test(href) ? [{ tab, href }] : []
  })
}

async function readOrders(tree: FileTree, notes: Notes, folder: string): Promise<Map<string, Fields>> {
  const orders = new Map<string, Fields>()
  for (const file of tree.files.keys()) {
    if (!file.startsWith(`${folder}/`) || !/\/\.(?:pages|nav\.yml)$/.test(file)) continue
    const result = readYaml(await readTextFile(tree, file), { depth: 20, values: 20_000 })
    const directory = posix.dirname(file).slice(folder.length + 1)
    if ('value' in result) orders.set(directory, asFields(result.value))
    else
      notes.add(
        'navigation',
        { file, line: result.fault.line },
        `The file cannot be parsed: ${result.fault.reason}.`,
      )
  }
  return orders
}

function itemsFrom(context: Making, value: unknown, folder: string, depth: number): NavItem[] {
  if (depth > MAX_DEPTH) return []
  return asItems(value).flatMap((entry) => {
    const path = asText(entry)
    if (path !== null) return convertEntry(context, null, path, folder, depth)
    return Object.entries(asFields(entry)).flatMap(([title, target]): NavItem[] => {
      const address = asText(target)
      if (address !== null) return convertEntry(context, title, address, folder, depth)
      return [group(context, title, itemsFrom(context, target, folder, depth + 1))]
    })
  })
}

function convertEntry(
  context: Making,
  title: string | null,
  target: string,
  folder: string,
  depth: number,
): NavItem[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [context.makeLink(title ?? target, target)]
  const path = posix.normalize(posix.join(folder, target)).replace(/^\.?\//, '')
  const page = context.pages.get(path)
  if (page) {
    if (title !== null && title !== page.title) page.label = title
    return [page.importedPath]
  }
  const isFolder = [...context.pages.keys()].some((one) => one.startsWith(`${path.replace(/\/$/, '')}/`))
  if (isFolder) {
    const name = path.replace(/\/$/, '')
    const heading = title ?? asText(context.orders.get(name)?.title) ?? folderTitle(name)
    return [group(context, heading, listFolderItems(context, name, depth + 1))]
  }
  const file = context.config.file
  context.notes.add('navigation', file, `The navigation lists ${excerpt(target)}, which does not exist.`)
  return []
}

/** Creates a group. The index page becomes its root if the theme is configured to do so. */
function group({ config, pages }: Making, title: string, items: NavItem[]): NavGroup {
  const [first] = items
  const index = [...pages.values()].find(({ importedPath }) => importedPath === first)
  const isIndex = index !== undefined && /(?:^|\/)(?:index|readme)\.md$/i.test(index.path)
  const hasIndexes = config.features.has('navigation.indexes') || config.plugins.has('section-index')
  const isRoot = isIndex && hasIndexes
  return omitUndefined({
    group: title || 'Pages',
    root: isRoot ? index.importedPath : undefined,
    expanded: config.features.has('navigation.expand') || undefined,
    pages: isRoot ? items.slice(1) : items,
  }) as unknown as NavGroup
}

/**
 * Returns the entries of a folder: `index` first, then pages, then folders, unless `.pages` specifies an
 * order.
 */
function listFolderItems(context: Making, folder: string, depth: number): NavItem[] {
  if (depth > MAX_DEPTH) return []
  const prefix = folder === '' ? '' : `${folder}/`
  const files: string[] = []
  const folders = new Set<string>()
  for (const path of context.pages.keys()) {
    if (!path.startsWith(prefix)) continue
    const rest = path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash === -1) files.push(rest)
    else folders.add(rest.slice(0, slash))
  }
  const isIndex = (name: string) => /^(?:index|readme)\.md$/i.test(name)
  files.sort((a, b) => Number(isIndex(b)) - Number(isIndex(a)) || (a < b ? -1 : 1))
  const names = [...files, ...[...folders].sort()].filter(
    (name) => context.orders.get(prefix + name)?.hide !== true,
  )
  const order = context.orders.get(folder) ?? {}
  const written = order.nav ?? order.arrange
  if (order.order === 'desc') names.reverse()
  if (!Array.isArray(written))
    return names.flatMap((name) => convertEntry(context, null, name, folder, depth))
  const named = new Set(
    written.flatMap((entry) => asText(entry) ?? Object.values(asFields(entry)).map(asText)),
  )
  const rest = names.filter((name) => !named.has(name))
  return written.flatMap((entry): NavItem[] =>
    /^(?:\.\.\.|\*)/.test(asText(entry) ?? '')
      ? rest.flatMap((name) => convertEntry(context, null, name, folder, depth))
      : itemsFrom(context, [entry], folder, depth),
  )
}

/** Converts the name of a folder to a title: `getting-started` → `Getting started`. */
function folderTitle(path: string): string {
  const words = posix.basename(path).replace(/[-_]+/g, ' ').trim()
  return words === '' ? 'Pages' : `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function addUnlistedPageNotes({ pages, notes, config }: Making, items: readonly NavItem[]): void {
  const listed = new Set<string>()
  const collectListed = (item: NavItem) => {
    if (typeof item === 'string') listed.add(item)
    else {
      if (item.root) listed.add(item.root)
      item.pages.forEach(collectListed)
    }
  }
  items.forEach(collectListed)
  const count = [...pages.values()].filter(({ importedPath }) => !listed.has(importedPath)).length
  if (count > 0)
    notes.add(
      'navigation',
      config.file,
      `${count} pages are not in the navigation of the original site, so they are not in the new one.`,
      'Add them to docs.json to show them in the navigation.',
    )
}

/** Converts top-level sections to tabs. Top-level pages share one tab. */
function createTabs(items: readonly NavItem[], links: readonly NavTab[]): Record<string, unknown> {
  const tabs: NavTab[] = []
  for (const item of items) {
    const last = tabs.at(-1)
    if (typeof item !== 'string') tabs.push(createTab(item))
    else if (last?.tab === 'Home') last.pages?.push(item)
    else tabs.push({ tab: 'Home', pages: [item] })
  }
  const [home, ...later] = tabs.filter(({ tab }) => tab === 'Home')
  for (const { pages = [] } of later) home?.pages?.push(...pages)
  const all = [...tabs.filter((tab) => !later.includes(tab)), ...links]
  return all.length > 1 || tabs.some((tab) => tab !== home) ? { tabs: all } : { pages: [...items] }
}

function createTab({ group: title, root, pages }: NavGroup): NavTab {
  return { tab: title, pages: root === undefined ? pages : [root, ...pages] }
}
