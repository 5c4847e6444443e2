/** Parses `pages` and `groups`: the content of a sidebar. */
import type { Problem } from '../../base/errors/problem.ts'
import { type Icon, type IconLibrary, readIcon } from '../icon.ts'
import { getField, isFields, isList, type JsonNode, toPlain } from '../json.ts'
import { quote } from '../problems.ts'
import {
  readChoice,
  readFlag,
  readItems,
  readNumber,
  readText,
  reportSetting,
  reportType,
} from '../read-json.ts'
import { readReferenceScope } from '../reference/reference-scope.ts'
import {
  type ApiScope,
  createGroup,
  type Inherited,
  type RawEntry,
  type RawGroup,
  type RawItem,
} from './navigation-tree.ts'
import { hrefToRoute } from './routes.ts'

export interface NavReading {
  problems: Problem[]
  library: IconLibrary
  scopes: ApiScope[]
}

const DEFAULT_DIRECTORY = 'api-reference'

export function readNavItems(
  reading: NavReading,
  nodes: readonly JsonNode[],
  scope: ApiScope | null,
): RawItem[] {
  return nodes.flatMap((node) => readNavItem(reading, node, scope))
}

function readNavItem(reading: NavReading, node: JsonNode, scope: ApiScope | null): RawItem[] {
  if (typeof node.value === 'string') return readEntryText(reading, node, node.value, scope)
  if (isList(node.value)) return readNavItems(reading, node.value, scope)
  if (!isFields(node.value)) {
    if (node.value !== null) reportType(reading.problems, node, 'An entry of pages', 'a path or a group')
    return []
  }
  if (node.value.has('group')) return [readGroup(reading, node, scope)]
  return readOtherObject(reading, node, scope)
}

function readEntryText(reading: NavReading, node: JsonNode, text: string, scope: ApiScope | null): RawItem[] {
  if (text.trim() === '') {
    report(
      reading,
      node,
      'navigation.empty_entry',
      'This entry of pages is empty.',
      'Enter the path of a page, or remove the entry.',
    )
    return []
  }
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim())) return [{ kind: 'entry', text, scope, node }]
  const message = `${quote(text)} is a URL, but pages must contain paths.`
  report(
    reading,
    node,
    'navigation.address_as_page',
    message,
    'Use an anchor with href, or a page with url in its frontmatter.',
  )
  return [{ kind: 'link', label: text.trim().replace(/^[a-z]+:\/\//i, ''), href: text.trim(), icon: null }]
}

function readGroup(reading: NavReading, node: JsonNode, inherited: ApiScope | null): RawGroup {
  const { problems } = reading
  const scope = readApiScope(reading, node, inherited)
  const label = readText(problems, getField(node, 'group'), 'group')
  const root = getField(node, 'root')
  const rootText = readText(problems, root, 'group.root')
  const items = readGroupItems(reading, node, scope, inherited)
  const collapsed = readFlag(problems, getField(node, 'collapsed'), 'group.collapsed')
  return {
    kind: 'group',
    label: label ?? '',
    icon: readNavIcon(reading, node),
    tag: readText(problems, getField(node, 'tag'), 'group.tag'),
    root: root && rootText !== null ? { kind: 'entry', text: rootText, scope, node: root } : null,
    isExpanded: readFlag(problems, getField(node, 'expanded'), 'group.expanded') ?? collapsed === false,
    isHidden: readFlag(problems, getField(node, 'hidden'), 'group.hidden') ?? false,
    isSearchable: readFlag(problems, getField(node, 'searchable'), 'group.searchable'),
    ...readInherited(problems, node, 'group'),
    items,
  }
}

function readGroupItems(
  reading: NavReading,
  node: JsonNode,
  scope: ApiScope | null,
  inherited: ApiScope | null,
): RawItem[] {
  const lists = isFields(node.value)
    ? [...node.value.keys()].filter((key) => key === 'pages' || key === 'groups')
    : []
  const items = lists.flatMap((key) =>
    readNavItems(reading, readItems(reading.problems, getField(node, key), `group.${key}`), scope),
  )
  for (const key of ['tabs', 'anchors', 'dropdowns', 'versions', 'languages', 'products', 'menu']) {
    const field = getField(node, key)
    if (!field) continue
    const message = `A group cannot contain ${key}, so they are not shown.`
    report(reading, field, 'navigation.mixed_children', message, `Move ${key} to the level above the group.`)
  }
  const isOwn = scope !== null && scope !== inherited
  if (scope?.reference && scope.reference !== inherited?.reference)
    return [...items, { kind: 'reference', scope: scope.reference }]
  if (items.length === 0 && scope && scope.specs.length > 0 && (isOwn || lists.length === 0)) {
    return [{ kind: 'generated', scope }]
  }
  return items
}

/** Parses objects without a `group` key: links, pages, and groups that lack a name. */
function readOtherObject(reading: NavReading, node: JsonNode, scope: ApiScope | null): RawItem[] {
  const name = ['anchor', 'label', 'title', 'name', 'tab', 'dropdown', 'item', 'version', 'product']
    .map((key) => getField(node, key)?.value)
    .find((value) => typeof value === 'string')
  const label = typeof name === 'string' ? name.trim() : ''
  const href = getField(node, 'href')?.value ?? getField(node, 'url')?.value
  const page = getField(node, 'page') ?? getField(node, 'path')
  if (typeof href === 'string' && href.trim() !== '') {
    return [{ kind: 'link', label: label || href, href: hrefToRoute(href), icon: readNavIcon(reading, node) }]
  }
  if (page && typeof page.value === 'string') return readEntryText(reading, page, page.value, scope)
  const items = readGroupItems(reading, node, readApiScope(reading, node, scope), scope)
  const message =
    items.length > 0 ? 'This group has no name.' : 'This entry of pages is neither a page nor a group.'
  report(reading, node, 'navigation.unknown_entry', message, 'Add group and pages, or remove the entry.')
  if (items.length === 0 || label === '') return items
  return [createGroup(label, items, readNavIcon(reading, node))]
}

export function readInherited(problems: Problem[], node: JsonNode, path: string): Inherited {
  const listings = ['none', 'accordion', 'card'] as const
  const boost = readNumber(problems, getField(node, 'boost'), `${path}.boost`)
  return {
    directory: readChoice(problems, getField(node, 'directory'), `${path}.directory`, listings),
    boost: boost !== null && boost > 0 ? boost : null,
  }
}

/** Returns the API descriptions that an entry specifies, or else those inherited from the enclosing entry. */
export function readApiScope(
  reading: NavReading,
  node: JsonNode | undefined,
  inherited: ApiScope | null,
): ApiScope | null {
  for (const kind of ['openapi', 'asyncapi'] as const) {
    const field = getField(node, kind)
    if (!field || field.value === null) continue
    const isObject = isFields(field.value)
    const source = isObject ? getField(field, 'source') : field
    const specs = specNames(reading, source, kind)
    const directory =
      readText(reading.problems, getField(field, 'directory'), `${kind}.directory`) ??
      (inherited && inherited.kind === kind && !isObject ? inherited.directory : DEFAULT_DIRECTORY)
    const scope: ApiScope = { kind, specs, directory, node: field, reference: null }
    reading.scopes.push(scope)
    return scope
  }
  const inheritedReference = inherited?.reference ?? null
  const reference = readReferenceScope(reading.problems, node, inheritedReference)
  if (reference === inheritedReference) return inherited
  const around = inherited ?? { kind: 'openapi' as const, directory: DEFAULT_DIRECTORY, specs: [] }
  // An entry with its own source does not use the enclosing entry's descriptions.
  const specs = reference === null ? around.specs : []
  return { ...around, specs, node: reference?.node ?? inherited?.node ?? (node as JsonNode), reference }
}

function specNames(reading: NavReading, node: JsonNode | undefined, kind: string): string[] {
  if (!node || node.value === false) return []
  if (isList(node.value)) {
    return node.value.flatMap((item) =>
      specNames(reading, isFields(item.value) ? getField(item, 'source') : item, kind),
    )
  }
  const name = readText(reading.problems, node, kind)
  return name === null ? [] : [name]
}

function readNavIcon(reading: NavReading, node: JsonNode): Icon | null {
  const icon = getField(node, 'icon')
  return icon ? readIcon(toPlain(icon), getField(node, 'iconType')?.value, reading.library) : null
}

export function createEntry(text: string, node: JsonNode): RawEntry {
  return { kind: 'entry', text, scope: null, node }
}

function report(reading: NavReading, node: JsonNode, code: string, message: string, remedy: string): void {
  reportSetting(reading.problems, node, code, 'warning', message, remedy)
}
