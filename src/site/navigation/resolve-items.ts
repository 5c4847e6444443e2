/** Resolves navigation entries to routes: pages on disk, pages of operations, links. */
import type { Problem } from '../../base/errors/problem.ts'
import type { JsonNode } from '../json.ts'
import type { PageIndex } from '../pages/page-index.ts'
import { quote } from '../problems.ts'
import { reportSetting } from '../read-json.ts'
import type { GeneratedPage, OperationPages } from '../reference/operation-pages.ts'
import { parseOperation } from '../reference/operation-reference.ts'
import type { ReferencePages } from '../reference/reference-pages.ts'
import {
  type ApiScope,
  createGroup,
  type NavContent,
  type RawEntry,
  type RawGenerated,
  type RawGroup,
  type RawItem,
  type RawLink,
  type RawReference,
} from './navigation-tree.ts'
import { normalizePagePath } from './routes.ts'

export type ResolvedItem = ResolvedPage | ResolvedGroup | RawLink

export interface ResolvedPage {
  kind: 'page'
  route: string
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
  /** Returns true if the page's file shows a symbol of a library; then the entry generates no pages. */
  showsSymbol(route: string): boolean
  ignored: ReadonlySet<string>
}

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
    const page = await deps.operations.addPage(reference, entry.scope, entry.node)
    return page && pageItem(page.route, entry, page.operation.isHidden)
  }
  if (found) {
    const file = deps.index.files.get(found.route) ?? ''
    const message = `The navigation lists ${quote(entry.text)}, but the file is named ${file}.`
    reportSetting(
      deps.problems,
      entry.node,
      'navigation.page_case',
      'warning',
      message,
      'Use the spelling of the file name.',
    )
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
    const message = `The navigation lists ${quote(entry.text)}, but ${ignored} is excluded by an ignore rule.`
    const remedy = 'Remove the entry, or add a line to .mintignore that begins with ! and includes the file.'
    reportSetting(deps.problems, entry.node, 'navigation.page_ignored', 'error', message, remedy)
    return
  }
  const closest = deps.index.closest.find(path)
  const message = `The navigation lists ${quote(entry.text)}, but this page does not exist.`
  const remedy = closest
    ? `Did you mean ${normalizePagePath(closest) || 'index'}?`
    : `Create ${path}.mdx, or remove the entry.`
  reportSetting(deps.problems, entry.node, 'navigation.page_missing', 'error', message, remedy)
}

/** Returns a group for each tag, in order of first occurrence; operations without a tag are ungrouped. */
async function resolveGenerated(deps: ItemDeps, item: RawGenerated): Promise<ResolvedItem[]> {
  const resolved: ResolvedItem[] = []
  for (const { spec, pages } of await deps.operations.addPages(item.scope)) {
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
        resolved.push(createGroup(spec.tagLabels.get(tag) ?? tag, items))
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

async function resolveReference(deps: ItemDeps, { scope }: RawReference): Promise<ResolvedItem[]> {
  const sections = await deps.references.addPages(scope)
  return [...sections].map(([label, pages]) =>
    createGroup(
      label || 'Reference',
      pages.map(({ route }) => ({ kind: 'page', route, isHidden: false, scope: null, node: scope.node })),
    ),
  )
}
