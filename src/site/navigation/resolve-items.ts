/** Resolves navigation entries to routes: pages on disk, pages of operations, links. */
import type { Problem } from '../../base/errors/problem.ts'
import { getNodeLine, type JsonNode } from '../json.ts'
import type { PageIndex } from '../pages/page-index.ts'
import { quote } from '../problems.ts'
import type { GeneratedPage, OperationPages } from '../reference/operation-pages.ts'
import { parseOperation } from '../reference/operation-reference.ts'
import type { ReferencePages } from '../reference/reference-pages.ts'
import type {
  ApiScope,
  NavContent,
  RawEntry,
  RawGenerated,
  RawGroup,
  RawItem,
  RawLink,
  RawReference,
} from './navigation-tree.ts'
import { normalizePagePath } from './routes.ts'

export type ResolvedItem = ResolvedPage | ResolvedGroup | RawLink

export interface ResolvedPage {
  kind: 'page'
  route: string
  /** The operation is hidden by its description. */
  isHidden: boolean
  scope: ApiScope | null
  node: JsonNode
}

export interface ResolvedGroup extends Omit<RawGroup, 'root' | 'items'> {
  root: ResolvedPage | null
  items: readonly ResolvedItem[]
}

export interface ItemDeps {
  problems: Problem[]
  index: PageIndex
  operations: OperationPages
  references: ReferencePages
  /** True if the page's file shows a symbol of a library; the entry then generates no pages. */
  showsSymbol(route: string): boolean
  /** Files of the docs folder that ignore rules exclude. */
  ignored: ReadonlySet<string>
}

/** Returns the resolved items of every leaf of the tree. */
export async function resolveLeaves(
  deps: ItemDeps,
  content: NavContent,
  leaves: Map<NavContent, readonly ResolvedItem[]> = new Map(),
): Promise<ReadonlyMap<NavContent, readonly ResolvedItem[]>> {
  if (content.kind === 'leaf') leaves.set(content, await resolveItems(deps, content.items))
  if (content.kind === 'branch') {
    for (const choice of content.choices) await resolveLeaves(deps, choice.content, leaves)
  }
  return leaves
}

async function resolveItems(deps: ItemDeps, items: readonly RawItem[]): Promise<ResolvedItem[]> {
  const resolved: ResolvedItem[] = []
  for (const item of items) {
    if (item.kind === 'link') resolved.push(item)
    else if (item.kind === 'reference') {
      const isWritten = resolved.some((one) => holdsSymbol(deps, one))
      if (!isWritten) resolved.push(...(await resolveReference(deps, item)))
    } else if (item.kind === 'generated') resolved.push(...(await resolveGenerated(deps, item)))
    else if (item.kind === 'group') {
      const root = item.root ? await resolveEntry(deps, item.root) : null
      resolved.push({ ...item, root, items: await resolveItems(deps, item.items) })
    } else {
      const page = await resolveEntry(deps, item)
      if (page) resolved.push(page)
    }
  }
  return resolved
}

async function resolveEntry(deps: ItemDeps, entry: RawEntry): Promise<ResolvedPage | null> {
  const found = deps.index.find(entry.text)
  if (found?.isExact) return pageItem(found.route, entry, false)
  const reference = parseOperation(entry.text)
  if (reference) {
    const page = await deps.operations.place(reference, entry.scope, entry.node)
    return page && pageItem(page.route, entry, page.operation.isHidden)
  }
  if (found) {
    const file = deps.index.files.get(found.route) ?? ''
    const message = `The navigation names ${quote(entry.text)}, but the file is called ${file}.`
    report(deps, entry, 'navigation.page_case', 'warning', message, 'Write the name as the file has it.')
    return pageItem(found.route, entry, false)
  }
  reportMissing(deps, entry)
  return null
}

function pageItem(route: string, entry: RawEntry, isHidden: boolean): ResolvedPage {
  return { kind: 'page', route, isHidden, scope: entry.scope, node: entry.node }
}

function reportMissing(deps: ItemDeps, entry: RawEntry): void {
  const path = normalizePagePath(entry.text)
  const ignored = [`${path}.mdx`, `${path}.md`, `${path}/index.mdx`, `${path}/index.md`].find((file) =>
    deps.ignored.has(file),
  )
  if (ignored !== undefined) {
    const message = `The navigation names ${quote(entry.text)}, but ${ignored} is left out by the ignore rules.`
    const remedy = 'Remove the entry, or let the file in with a line that begins with ! in .mintignore.'
    report(deps, entry, 'navigation.page_ignored', 'error', message, remedy)
    return
  }
  const closest = deps.index.closest.find(path)
  const message = `The navigation names ${quote(entry.text)}, but there is no such page.`
  const remedy = closest
    ? `Did you mean ${normalizePagePath(closest) || 'index'}?`
    : `Create ${path}.mdx, or remove the entry.`
  report(deps, entry, 'navigation.page_missing', 'error', message, remedy)
}

function report(
  deps: ItemDeps,
  entry: RawEntry,
  code: string,
  level: Problem['level'],
  message: string,
  remedy: string,
): void {
  deps.problems.push({
    file: entry.node.source.file,
    line: getNodeLine(entry.node),
    code,
    level,
    message,
    remedy,
  })
}

/** Returns a group for each tag, in order of first occurrence; operations without a tag are ungrouped. */
async function resolveGenerated(deps: ItemDeps, item: RawGenerated): Promise<ResolvedItem[]> {
  const resolved: ResolvedItem[] = []
  for (const { spec, pages } of await deps.operations.placeAll(item.scope)) {
    const groups = new Map<string, ResolvedItem[]>()
    for (const page of pages) {
      const tag = page.operation.tags[0]
      if (tag === undefined) {
        resolved.push(generatedItem(page, item))
        continue
      }
      let items = groups.get(tag)
      if (!items) {
        items = []
        groups.set(tag, items)
        resolved.push(tagGroup(spec.tagLabels.get(tag) ?? tag, items))
      }
      items.push(generatedItem(page, item))
    }
  }
  return resolved
}

function generatedItem(page: GeneratedPage, item: RawGenerated): ResolvedPage {
  return {
    kind: 'page',
    route: page.route,
    isHidden: page.operation.isHidden,
    scope: item.scope,
    node: item.scope.node,
  }
}

function holdsSymbol(deps: ItemDeps, item: ResolvedItem): boolean {
  if (item.kind === 'page') return deps.showsSymbol(item.route)
  return item.kind === 'group' && item.items.some((one) => holdsSymbol(deps, one))
}

/** Returns a group for each section of the source. */
async function resolveReference(deps: ItemDeps, { scope }: RawReference): Promise<ResolvedItem[]> {
  const sections = await deps.references.place(scope)
  return [...sections].map(([label, pages]) =>
    tagGroup(
      label || 'Reference',
      pages.map(({ route }) => ({ kind: 'page', route, isHidden: false, scope: null, node: scope.node })),
    ),
  )
}

function tagGroup(label: string, items: ResolvedItem[]): ResolvedGroup {
  return {
    kind: 'group',
    label,
    icon: null,
    tag: null,
    root: null,
    isExpanded: false,
    isHidden: false,
    isSearchable: null,
    directory: null,
    boost: null,
    items,
  }
}
