import { readIcon } from '../icon.ts'
import { getField, getNodeLine, isFields, isList, type JsonNode, toPlain } from '../json.ts'
import { languageName } from '../language-name.ts'
import type { DivisionKind, NavChoice, NavLevel } from '../model.ts'
import { readChoice, readFields, readFlag, readItems, readText, reportType } from '../read-json.ts'
import { colorPair } from '../settings/chrome-schema.ts'
import { readSetting } from '../settings/read-setting.ts'
import type { ApiScope, NavContent, NavigationTree, RawChoice, RawItem } from './navigation-tree.ts'
import type { NavReading } from './read-nav-items.ts'
import { readApiScope, readInherited, readNavItems } from './read-nav-items.ts'
import { hrefToRoute } from './routes.ts'

const NAME_KEYS: Record<DivisionKind, string> = {
  languages: 'language',
  versions: 'version',
  products: 'product',
  tabs: 'tab',
  dropdowns: 'dropdown',
  anchors: 'anchor',
  menu: 'item',
}

/** If an entry has children of several kinds, the first of these kinds is used. */
const ROOT_DIVISION_ORDER = [
  'products',
  'languages',
  'versions',
  'tabs',
  'dropdowns',
  'anchors',
  'menu',
] as const
const TAB_DIVISION_ORDER = ['languages', 'versions', 'dropdowns', 'anchors', 'products', 'menu'] as const

export function readNavigation(reading: NavReading, root: JsonNode): NavigationTree | null {
  const scope = readApiScope(reading, getField(root, 'api'), null)
  const navigation = getField(root, 'navigation')
  if (!navigation) {
    reading.problems.push({
      file: root.source.file,
      line: null,
      code: 'config.required',
      level: 'error',
      message: 'There is no navigation, so all pages are listed by folder.',
      remedy: 'Add navigation and list the pages of the site.',
    })
    return null
  }
  if (isList(navigation.value)) {
    reading.problems.push({
      file: navigation.source.file,
      line: getNodeLine(navigation),
      code: 'navigation.old_form',
      level: 'hint',
      message: 'navigation is a list, which is treated as a list of groups.',
      remedy: 'Write "navigation": { "groups": [ … ] }.',
    })
    const items = readNavItems(reading, navigation.value, scope)
    return { content: { kind: 'leaf', items }, globals: [], directory: null, boost: null }
  }
  if (!isFields(navigation.value)) {
    reportType(reading.problems, navigation, 'navigation', 'an object')
    return null
  }
  // The descriptions in `api` are only used for operations listed by name; they do not generate pages.
  return {
    ...readBranch(reading, navigation, 'root', scope),
    ...readInherited(reading.problems, navigation, 'navigation'),
  }
}

interface Branch {
  content: NavContent
  globals: readonly NavLevel[]
}

function readBranch(
  reading: NavReading,
  node: JsonNode,
  parent: DivisionKind | 'root',
  inherited: ApiScope | null,
): Branch {
  const scope = readApiScope(reading, node, inherited)
  const globals = readGlobals(reading, getField(node, 'global'))
  const divisions = (parent === 'tabs' ? TAB_DIVISION_ORDER : ROOT_DIVISION_ORDER).filter((kind) =>
    hasItems(node, kind),
  )
  const lists = isFields(node.value)
    ? [...node.value.keys()].filter((key) => (key === 'groups' || key === 'pages') && hasItems(node, key))
    : []
  const branching: DivisionKind[] = []
  for (const kind of divisions) {
    // If there are children of other kinds too, a list that contains only links is an older notation for `global`.
    const isLinksOnly = readItems(reading.problems, getField(node, kind), kind).every(hasOnlyLink)
    const isAlone = divisions.length === 1 && lists.length === 0
    if (isLinksOnly && !isAlone)
      globals.push(readGlobalLevel(reading, kind, getField(node, kind) as JsonNode))
    else branching.push(kind)
  }
  const chosenKind = chooseKind(reading, node, parent, branching, lists)
  if (chosenKind) return { content: readDivision(reading, node, chosenKind, scope), globals }
  if (lists.length > 0) {
    const items = lists.flatMap((key) =>
      readNavItems(reading, readItems(reading.problems, getField(node, key), key), scope),
    )
    const own = scope?.reference && scope.reference !== inherited?.reference ? scope.reference : null
    const rawItems: RawItem[] = own === null ? [] : [{ kind: 'reference', scope: own }]
    return { content: { kind: 'leaf', items: [...items, ...rawItems] }, globals }
  }
  return { content: readWithoutChildren(reading, node, parent, scope, inherited), globals }
}

/**
 * Groups and pages take precedence over the menu of a tab; all other divisions take precedence over groups and pages.
 * Dropped content is reported, and its pages remain as pages outside the navigation.
 */
function chooseKind(
  reading: NavReading,
  node: JsonNode,
  parent: DivisionKind | 'root',
  branching: readonly DivisionKind[],
  lists: readonly string[],
): DivisionKind | null {
  const [first] = branching
  const chosenKind = first === undefined || (first === 'menu' && lists.length > 0) ? null : first
  const dropped = [...branching.filter((kind) => kind !== chosenKind), ...(chosenKind ? lists : [])]
  for (const key of dropped) {
    const field = getField(node, key) ?? node
    reading.problems.push({
      file: field.source.file,
      line: getNodeLine(field),
      code: 'navigation.mixed_children',
      level: 'error',
      message: `${parent === 'root' ? 'navigation' : `This entry of ${parent}`} has both ${chosenKind ?? 'groups'} and ${key}, so ${key} is not shown.`,
      remedy: 'Keep one of them in this entry, and move the other to a nested or separate entry.',
    })
  }
  return chosenKind
}

function readWithoutChildren(
  reading: NavReading,
  node: JsonNode,
  parent: DivisionKind | 'root',
  scope: ApiScope | null,
  inherited: ApiScope | null,
): NavContent {
  const href = readText(reading.problems, getField(node, 'href') ?? getField(node, 'url'), `${parent}.href`)
  if (href !== null) return { kind: 'link', href: hrefToRoute(href) }
  const isOwn = scope !== null && scope !== inherited
  const isEmptied = getField(node, 'pages') !== undefined || getField(node, 'groups') !== undefined
  if (scope && scope.specs.length > 0 && (isOwn || (parent !== 'root' && !isEmptied))) {
    return { kind: 'leaf', items: [{ kind: 'generated', scope }] }
  }
  if (scope?.reference && scope.reference !== inherited?.reference)
    return { kind: 'leaf', items: [{ kind: 'reference', scope: scope.reference }] }
  return { kind: 'none' }
}

function readDivision(
  reading: NavReading,
  node: JsonNode,
  division: DivisionKind,
  scope: ApiScope | null,
): NavContent {
  const choices: RawChoice[] = []
  for (const entry of readItems(reading.problems, getField(node, division), division)) {
    if (!readFields(reading.problems, entry, `An entry of ${division}`)) continue
    const { content, globals } = readBranch(reading, entry, division, scope)
    choices.push({ ...readChoiceFields(reading, entry, division), content, globals })
  }
  return { kind: 'branch', division, choices }
}

function readChoiceFields(
  reading: NavReading,
  node: JsonNode,
  division: DivisionKind,
): Omit<RawChoice, 'content' | 'globals'> {
  const { problems } = reading
  const at = (key: string) => getField(node, key)
  const name = readText(problems, at(NAME_KEYS[division]), `${division}.${NAME_KEYS[division]}`)
  const label = (division === 'products' ? readText(problems, at('name'), 'products.name') : null) ?? name
  if (name === null) {
    problems.push({
      file: node.source.file,
      line: getNodeLine(node),
      code: 'navigation.name_missing',
      level: 'warning',
      message: `This entry of ${division} has no ${NAME_KEYS[division]}.`,
      remedy: `Add ${NAME_KEYS[division]}.`,
    })
  }
  const icon = at('icon')
  return {
    label: division === 'languages' ? languageName(name ?? '') : (label ?? findAlternativeName(node)),
    language: division === 'languages' ? name : null,
    icon: icon ? readIcon(toPlain(icon), at('iconType')?.value, reading.library) : null,
    tag: readText(problems, at('tag'), `${division}.tag`),
    description: readText(problems, at('description'), `${division}.description`),
    color: readSetting(reading, colorPair, at('color'), `${division}.color`),
    align: readChoice(problems, at('align'), `${division}.align`, ['start', 'end']) ?? 'start',
    isDefault: readFlag(problems, at('default'), `${division}.default`) ?? false,
    isHidden: readFlag(problems, at('hidden'), `${division}.hidden`) ?? false,
    isSearchable: readFlag(problems, at('searchable'), `${division}.searchable`),
    ...readInherited(problems, node, division),
  }
}

function findAlternativeName(node: JsonNode): string {
  for (const key of ['name', 'label', 'title']) {
    const value = getField(node, key)?.value
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return '—'
}

function readGlobals(reading: NavReading, node: JsonNode | undefined): NavLevel[] {
  if (!readFields(reading.problems, node, 'global') || !node) return []
  return ROOT_DIVISION_ORDER.filter((kind) => hasItems(node, kind)).map((kind) =>
    readGlobalLevel(reading, kind, getField(node, kind) as JsonNode),
  )
}

function readGlobalLevel(reading: NavReading, kind: DivisionKind, node: JsonNode): NavLevel {
  const choices: NavChoice[] = []
  for (const entry of readItems(reading.problems, node, `global.${kind}`)) {
    if (!readFields(reading.problems, entry, `An entry of global.${kind}`)) continue
    const { label, icon, tag, description, color, isHidden, align } = readChoiceFields(reading, entry, kind)
    const href = readText(
      reading.problems,
      getField(entry, 'href') ?? getField(entry, 'url'),
      `global.${kind}.href`,
    )
    if (href === null) {
      reading.problems.push({
        file: entry.source.file,
        line: getNodeLine(entry),
        code: 'navigation.href_missing',
        level: 'warning',
        message: `This entry of global ${kind} has no href and is ignored.`,
        remedy: 'Add href, or move the entry and its pages out of global.',
      })
      continue
    }
    choices.push({
      label,
      href: hrefToRoute(href),
      sidebars: [],
      icon,
      tag,
      description,
      color,
      isHidden,
      isDefault: false,
      align,
      menu: [],
    })
  }
  return { kind, choices, active: null }
}

function hasItems(node: JsonNode, key: string): boolean {
  const field = getField(node, key)
  return field !== undefined && isList(field.value) && field.value.length > 0
}

function hasOnlyLink(entry: JsonNode): boolean {
  if (!getField(entry, 'href')) return false
  return ![...ROOT_DIVISION_ORDER, 'groups', 'pages'].some((key) => hasItems(entry, key))
}
