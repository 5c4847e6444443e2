/** Outline of the navigation in docs.json: entries and pages with their positions in the text. */

import type { Problem } from '../../../base/errors/problem.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { getField, isFields, isList, type JsonNode, parseJson } from '../../../site/json.ts'
import type { DivisionKind } from '../../../site/model.ts'
import { normalizePagePath, pathToRoute } from '../../../site/navigation/routes.ts'
import { expandReferences } from '../../../site/references.ts'
import { isOldSettings } from '../../../site/settings/upgrade-mint-json.ts'
import { readTextFile } from '../../../site/text.ts'
import { ToolRefusal } from '../loop/tool.ts'

export interface NavEntry {
  kind: 'navigation' | 'group' | DivisionKind
  /** Labels from the outermost group to the entry itself; empty for the navigation itself. */
  labels: readonly string[]
  /** An object, or a list of groups in the older format. */
  node: JsonNode
  /** Position in its list; null for the navigation itself. */
  location: NavLocation | null
  entries: readonly NavEntry[]
  pages: readonly NavPage[]
}

export interface NavLocation {
  list: JsonNode
  index: number
}

export interface NavPage {
  route: string
  /** As written in docs.json. */
  text: string
  entry: NavEntry
  /** Null for the page that the title of a group links to. */
  location: NavLocation | null
}

export const NAME_KEYS: Record<DivisionKind | 'group', string> = {
  group: 'group',
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
}
const DIVISIONS = Object.keys(NAME_KEYS).filter((key) => key !== 'group') as DivisionKind[]
const LISTS = ['groups', 'pages'] as const

/** Throws ToolRefusal when there is no navigation that these operations can edit. */
export async function readOutline(tree: FileTree): Promise<NavEntry> {
  if (!tree.files.has('docs.json')) {
    throw new ToolRefusal('There is no docs.json in the docs folder, so there is no navigation to change.')
  }
  const problems: Problem[] = []
  const parsed = parseJson(problems, 'docs.json', await readTextFile(tree, 'docs.json'))
  if (parsed === null) throw unreadableError(problems)
  const { root } = await expandReferences(tree, problems, parsed)
  if (isOldSettings(root)) {
    throw new ToolRefusal('docs.json is in an older form; change its navigation with edit_file.')
  }
  const navigation = getField(root, 'navigation')
  if (!navigation || !(isFields(navigation.value) || isList(navigation.value))) {
    throw new ToolRefusal(
      'docs.json has no navigation. Add one with edit_file, such as "navigation": { "groups": [] }.',
    )
  }
  return buildEntry('navigation', [], navigation, null)
}

export function allEntries(entry: NavEntry): NavEntry[] {
  return [entry, ...entry.entries.flatMap(allEntries)]
}

export function allPages(entry: NavEntry): NavPage[] {
  return allEntries(entry).flatMap(({ pages }) => pages)
}

export function parseRoute(text: string): string {
  return pathToRoute(normalizePagePath(text))
}

export function entryName(entry: Pick<NavEntry, 'labels'>): string {
  return entry.labels.length === 0 ? 'the top level of the navigation' : entry.labels.join(' › ')
}

function buildEntry(
  kind: NavEntry['kind'],
  labels: readonly string[],
  node: JsonNode,
  location: NavLocation | null,
): NavEntry {
  const entries: NavEntry[] = []
  const pages: NavPage[] = []
  const entry: NavEntry = { kind, labels, node, location, entries, pages }
  const children = { entry, entries, pages }
  if (isList(node.value)) readItems(children, node)
  if (!isFields(node.value)) return entry
  const root = node.value.get('root')
  if (typeof root?.value === 'string')
    pages.push({ route: parseRoute(root.value), text: root.value, entry, location: null })
  for (const [key, value] of node.value) {
    if (!isList(value.value)) continue
    if (LISTS.some((name) => name === key)) readItems(children, value)
    const division = DIVISIONS.find((name) => name === key)
    if (division)
      for (const [index, item] of value.value.entries())
        addEntry(children, division, item, { list: value, index })
  }
  return entry
}

interface EntryChildren {
  entry: NavEntry
  entries: NavEntry[]
  pages: NavPage[]
}

function readItems(children: EntryChildren, list: JsonNode): void {
  if (!isList(list.value)) return
  for (const [index, item] of list.value.entries()) {
    const location = { list, index }
    if (typeof item.value === 'string') {
      children.pages.push({
        route: parseRoute(item.value),
        text: item.value,
        entry: children.entry,
        location,
      })
    } else if (isFields(item.value) && item.value.has('group')) addEntry(children, 'group', item, location)
  }
}

function addEntry(
  children: EntryChildren,
  kind: DivisionKind | 'group',
  node: JsonNode,
  location: NavLocation,
): void {
  if (!isFields(node.value)) return
  const name = getField(node, NAME_KEYS[kind])?.value
  const label = typeof name === 'string' ? name : ''
  children.entries.push(buildEntry(kind, [...children.entry.labels, label], node, location))
}

function unreadableError(problems: readonly Problem[]): ToolRefusal {
  const worst = problems.find(({ level }) => level === 'error')
  const where = worst?.line == null ? '' : ` at line ${worst.line}`
  return new ToolRefusal(
    `docs.json cannot be read${where}: ${worst?.message ?? ''} Correct it with edit_file first.`,
  )
}
