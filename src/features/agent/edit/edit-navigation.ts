/** Operations on the navigation. Each changes the text of one or two settings files and nothing else in them. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { getField, isFields, isList, type JsonNode } from '../../../site/json.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { openWorkspace, type Workspace } from '../publish/workspace.ts'
import { hasByteOrderMark } from './change-files.ts'
import { findEntry, findPage } from './find-entry.ts'
import {
  findSpans,
  type ItemStyle,
  insertItem,
  reindentText,
  removeItem,
  replaceValue,
  writeValue,
} from './json-edit.ts'
import {
  allEntries,
  allPages,
  entryName,
  type NavEntry,
  type NavLocation,
  parseRoute,
  readOutline,
} from './navigation-outline.ts'
import { quotePath } from './paths.ts'

/** Position of a new item in its list. Default: last. */
export interface Position {
  /** 0-based, counted after the item has been removed from its old position. */
  index?: number
  /** A page, or the name of a group, in the same list. */
  before?: string
  after?: string
}

export interface NavTarget extends Position {
  within: readonly string[]
}

export interface NavEdit {
  file: string
  text: string
}

/** Changes that are tried out in sequence before any of them is applied. */
export interface NavDraft {
  workspace: Workspace
  edits: Map<string, string>
}

export function openDraft({ base, changes }: Workspace): NavDraft {
  return { workspace: openWorkspace(base, changes), edits: new Map() }
}

export async function addPage(draft: NavDraft, text: string, target: NavTarget): Promise<void> {
  const entry = findEntry(await readDraftOutline(draft), target.within, 'within')
  const isThere = entry.pages.some(
    ({ route, location: navLocation }) => navLocation !== null && route === parseRoute(text),
  )
  if (isThere)
    throw new ToolRefusal(
      `${quotePath(text)} is already listed in ${entryName(entry)}. Use move_page to change its position.`,
    )
  const list = listForPages(entry)
  await insert(draft, entry, list, target, (style) => writeValue(matchNeighbours(text, entry), style))
}

export async function removePage(
  draft: NavDraft,
  text: string,
  from: readonly string[] | undefined,
): Promise<NavEntry> {
  const page = findPage(await readDraftOutline(draft), text, from)
  await remove(draft, page.location as NavLocation)
  return page.entry
}

export async function movePage(
  draft: NavDraft,
  text: string,
  from: readonly string[] | undefined,
  target: NavTarget,
): Promise<void> {
  const outline = await readDraftOutline(draft)
  const page = findPage(outline, text, from)
  const destination = findEntry(outline, target.within, 'within')
  await remove(draft, page.location as NavLocation)
  await addPage(draft, page.text, { ...target, within: destination.labels })
}

export async function addGroup(
  draft: NavDraft,
  group: { name: string; pages: readonly string[] },
  target: NavTarget,
): Promise<void> {
  const entry = findEntry(await readDraftOutline(draft), target.within, 'within')
  refuseDuplicates(entry, group.name)
  const value = { group: group.name, pages: group.pages }
  await insert(draft, entry, listForGroups(entry), target, (style) => writeValue(value, style))
}

export async function renameGroup(draft: NavDraft, from: readonly string[], name: string): Promise<void> {
  const outline = await readDraftOutline(draft)
  const group = findGroup(outline, from)
  const parent = allEntries(outline).find(({ entries }) => entries.includes(group))
  if (parent) refuseDuplicates(parent, name, group)
  const label = getField(group.node, 'group') as JsonNode
  await write(
    draft,
    label.source.file,
    replaceValue(requireStrictText(label), label.offset, JSON.stringify(name)),
  )
}

export async function moveGroup(draft: NavDraft, from: readonly string[], target: NavTarget): Promise<void> {
  const outline = await readDraftOutline(draft)
  const group = findGroup(outline, from)
  const destination = findEntry(outline, target.within, 'within')
  if (allEntries(group).includes(destination)) throw new ToolRefusal('A group cannot be moved into itself.')
  const { list, index } = group.location as NavLocation
  const source = requireStrictText(list)
  const span = findSpans(source, list.offset).spans[index]
  if (!span) throw new RangeError(`there is no item ${index}`)
  if (!destination.entries.includes(group)) refuseDuplicates(destination, group.labels.at(-1) ?? '')
  refuseForeignReference(group, destination, source.slice(span.start, span.end))
  await remove(draft, group.location as NavLocation)
  const after = findEntry(await readDraftOutline(draft), destination.labels, 'within')
  await insert(draft, after, listForGroups(after), target, (style) => reindentText(source, span, style))
}

export async function removeGroup(draft: NavDraft, from: readonly string[]): Promise<string[]> {
  const group = findGroup(await readDraftOutline(draft), from)
  const removedTexts = new Set(allPages(group).map(({ text }) => text))
  await remove(draft, group.location as NavLocation)
  const remainingRoutes = new Set(allPages(await readDraftOutline(draft)).map(({ route }) => route))
  return [...removedTexts].filter((text) => !remainingRoutes.has(parseRoute(text)))
}

export async function readDraftOutline(draft: NavDraft): Promise<NavEntry> {
  return await readOutline(draft.workspace.tree)
}

function findGroup(outline: NavEntry, from: readonly string[]): NavEntry {
  const entry = findEntry(outline, from, 'from')
  if (entry.kind === 'group') return entry
  throw new ToolRefusal(
    `${entryName(entry)} is not a group. Change it with edit_file in ${entry.node.source.file}.`,
  )
}

function refuseDuplicates(entry: NavEntry, name: string, except?: NavEntry): void {
  const duplicate = entry.entries.find(
    (other) => other !== except && other.kind === 'group' && other.labels.at(-1) === name,
  )
  if (duplicate) throw new ToolRefusal(`${entryName(entry)} already contains a group ${quotePath(name)}.`)
}

/** Refuses a group with relative references, because their meaning changes when it moves to another folder. */
function refuseForeignReference(group: NavEntry, destination: NavEntry, text: string): void {
  const [from, to] = [group.location?.list.source.file ?? '', destination.node.source.file]
  const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/') + 1)
  if (!text.includes('"$ref"') || folderOf(from) === folderOf(to)) return
  throw new ToolRefusal(
    `The group contains a "$ref" relative to ${from}. Move it with edit_file and correct the reference.`,
  )
}

type ListTarget = { list: JsonNode } | { missing: 'pages' | 'groups' }

function listForPages(entry: NavEntry): ListTarget {
  const pages = findList(entry, 'pages')
  if (pages) return { list: pages }
  if (isList(entry.node.value)) throw groupsError(entry)
  if (entry.kind !== 'group' && entry.entries.length > 0) throw groupsError(entry)
  return { missing: 'pages' }
}

function groupsError(entry: NavEntry): ToolRefusal {
  const names = entry.entries.slice(0, 30).map(({ labels }) => JSON.stringify(labels))
  return new ToolRefusal(
    `${entryName(entry)} does not contain pages directly. Set within to the labels of one of its entries: ${names.join(', ')}.`,
  )
}

function listForGroups(entry: NavEntry): ListTarget {
  if (isList(entry.node.value)) return { list: entry.node }
  const groups = findList(entry, 'groups')
  if (groups) return { list: groups }
  const pages = findList(entry, 'pages')
  if (pages) return { list: pages }
  if (entry.kind === 'group') return { missing: 'pages' }
  if (entry.entries.length > 0) throw groupsError(entry)
  return { missing: 'groups' }
}

function findList(entry: NavEntry, key: 'pages' | 'groups'): JsonNode | null {
  const field = getField(entry.node, key)
  if (!field) return null
  if (isList(field.value)) return field
  throw new ToolRefusal(
    `${key} of ${entryName(entry)} is not a list. Correct it with edit_file in ${field.source.file} first.`,
  )
}

function matchNeighbours(text: string, entry: NavEntry): string {
  const neighbours = entry.pages.filter(({ location: navLocation }) => navLocation !== null)
  const isSlashed = neighbours.length > 0 && neighbours.every((page) => page.text.startsWith('/'))
  return isSlashed && !text.startsWith('/') ? `/${text}` : text
}

async function insert(
  draft: NavDraft,
  entry: NavEntry,
  navLocation: ListTarget,
  position: Position,
  writeItem: (style: ItemStyle) => string,
): Promise<void> {
  if ('list' in navLocation) {
    const { list } = navLocation
    const index = resolveIndex(entry, list, position)
    await write(draft, list.source.file, insertItem(requireStrictText(list), list.offset, index, writeItem))
    return
  }
  if (!isFields(entry.node.value))
    throw new ToolRefusal(`${entryName(entry)} cannot contain ${navLocation.missing}.`)
  const source = requireStrictText(entry.node)
  const key = JSON.stringify(navLocation.missing)
  const member = (style: ItemStyle) => {
    const space = style.isOnOwnLine ? ' ' : ''
    const inner = { ...style, indent: style.indent + style.unit }
    const items = style.isOnOwnLine
      ? `[${style.lineBreak}${inner.indent}${writeItem(inner)}${style.lineBreak}${style.indent}]`
      : `[${writeItem(style)}]`
    return `${key}:${space}${items}`
  }
  await write(
    draft,
    entry.node.source.file,
    insertItem(source, entry.node.offset, Number.POSITIVE_INFINITY, member),
  )
}

function resolveIndex(entry: NavEntry, list: JsonNode, { index, before, after }: Position): number {
  const count = isList(list.value) ? list.value.length : 0
  const neighbour = before ?? after
  if (neighbour === undefined) return Math.min(index ?? count, count)
  const candidates = [
    ...entry.pages
      .filter(({ route }) => route === parseRoute(neighbour))
      .map(({ location: navLocation }) => navLocation),
    ...entry.entries
      .filter(({ labels }) => labels.at(-1) === neighbour)
      .map(({ location: navLocation }) => navLocation),
  ]
  const found = candidates.find(
    (navLocation) =>
      navLocation?.list.offset === list.offset && navLocation.list.source.file === list.source.file,
  )
  if (!found)
    throw new ToolRefusal(
      `${quotePath(neighbour)} is not in the list of ${entryName(entry)}. Show it with operation show.`,
    )
  return before === undefined ? found.index + 1 : found.index
}

async function remove(draft: NavDraft, { list, index }: NavLocation): Promise<void> {
  await write(draft, list.source.file, removeItem(requireStrictText(list), list.offset, index))
}

/** Returns the text of the file that contains a value. Only valid JSON can be edited in place. */
function requireStrictText({ source }: JsonNode): string {
  try {
    JSON.parse(source.text)
    return source.text
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    throw new ToolRefusal(
      `${source.file} is not valid JSON (${reason.slice(0, 200)}). Correct it with edit_file first, including comments and extra commas.`,
    )
  }
}

async function write(draft: NavDraft, file: string, text: string): Promise<void> {
  JSON.parse(text) // never write invalid JSON
  await draft.workspace.write(file, text)
  draft.edits.set(file, text)
}

export function findEntriesSharingNode(outline: NavEntry, entry: NavEntry): NavEntry[] {
  const { source, offset } = entry.node
  return allEntries(outline).filter(
    (other) => other !== entry && other.node.source.file === source.file && other.node.offset === offset,
  )
}

/** Byte order marks are preserved. */
export async function collectEdits(draft: NavDraft, tree: FileTree): Promise<NavEdit[]> {
  const edits: NavEdit[] = []
  for (const [file, text] of draft.edits) {
    edits.push({ file, text: hasByteOrderMark(await tree.read(file)) ? `\ufeff${text}` : text })
  }
  return edits
}
