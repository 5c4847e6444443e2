/** Builds the sidebars and the locations of pages from the resolved navigation. */
import type { Problem } from '../../base/errors/problem.ts'
import { getNodeLine } from '../json.ts'
import type {
  DirectoryListing,
  DivisionKind,
  NavChoice,
  NavItem,
  NavLevel,
  Placement,
  Sidebar,
  Site,
} from '../model.ts'
import type { ApiScope, NavContent, NavigationTree, RawChoice } from './navigation-tree.ts'
import type { ResolvedGroup, ResolvedItem, ResolvedPage } from './resolve-items.ts'

export interface Mention {
  placement: Placement
  language: string
  /** True if the listing or an ancestor is hidden. */
  isHidden: boolean
  /** True if a hidden ancestor remains searchable. */
  isSearchable: boolean
  /** True if all enclosing choices are the defaults. */
  isDefault: boolean
  boost: number
  scope: ApiScope | null
}

export interface BuiltNavigation {
  sidebars: readonly Sidebar[]
  languages: Site['languages']
  mentions: ReadonlyMap<string, readonly Mention[]>
  firstRoute: string | null
}

export interface SidebarDeps {
  problems: Problem[]
  leaves: ReadonlyMap<NavContent, readonly ResolvedItem[]>
  isHiddenPage(route: string): boolean
  isLinkPage(route: string): boolean
}

const STANDARD_LANGUAGE = 'en'

interface BranchContext {
  levels: readonly NavLevel[]
  globals: readonly NavLevel[]
  language: string
  isHidden: boolean
  isSearchable: boolean
  directory: DirectoryListing
  boost: number
  isDefault: boolean
  /** Enclosing versions and products; a page may be listed once in each combination. */
  edition: string
}

interface Build extends SidebarDeps {
  sidebars: Sidebar[]
  mentions: Map<string, Mention[]>
  languages: Map<string, boolean>
  listed: Map<string, number>
}

interface BuiltContent {
  sidebars: readonly string[]
  firstRoute: string | null
  choices: readonly NavChoice[]
}

const NO_CONTENT: BuiltContent = { sidebars: [], firstRoute: null, choices: [] }

export function buildSidebars(deps: SidebarDeps, tree: NavigationTree): BuiltNavigation {
  const build: Build = { ...deps, sidebars: [], mentions: new Map(), languages: new Map(), listed: new Map() }
  const built = buildContent(build, tree.content, {
    levels: [],
    globals: tree.globals,
    language: STANDARD_LANGUAGE,
    isHidden: false,
    isSearchable: false,
    directory: tree.directory ?? 'none',
    boost: tree.boost ?? 1,
    isDefault: true,
    edition: '',
  })
  for (const mentions of build.mentions.values()) {
    mentions.sort((a, b) => rank(a) - rank(b))
  }
  const languages = [...build.languages].map(([code, isDefault]) => ({ code, isDefault }))
  languages.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
  return {
    sidebars: build.sidebars,
    languages: languages.length > 0 ? languages : [{ code: STANDARD_LANGUAGE, isDefault: true }],
    mentions: build.mentions,
    firstRoute: built.firstRoute,
  }
}

function rank(mention: Mention): number {
  return (mention.isHidden ? 2 : 0) + (mention.isDefault ? 0 : 1)
}

function buildContent(build: Build, content: NavContent, around: BranchContext): BuiltContent {
  if (content.kind === 'leaf') return buildLeaf(build, build.leaves.get(content) ?? [], around)
  if (content.kind === 'branch') return buildBranch(build, content.division, content.choices, around)
  return NO_CONTENT
}

/** All sidebars below a level share its `choices`, which are filled once the sidebars are built. */
function buildBranch(
  build: Build,
  division: DivisionKind,
  rawChoices: readonly RawChoice[],
  around: BranchContext,
): BuiltContent {
  const choices: NavChoice[] = []
  const standard = defaultChoice(rawChoices)
  const results: BuiltContent[] = []
  for (const [active, choice] of rawChoices.entries()) {
    const isSwitch = division === 'languages' || division === 'versions' || division === 'products'
    const result = buildContent(build, choice.content, {
      levels: [...around.levels, { kind: division, choices, active }],
      globals: choice.globals.length > 0 ? [...around.globals, ...choice.globals] : around.globals,
      language: choice.language ?? around.language,
      isHidden: around.isHidden || choice.isHidden,
      isSearchable: choice.isSearchable ?? around.isSearchable,
      directory: choice.directory ?? around.directory,
      boost: choice.boost ?? around.boost,
      isDefault: around.isDefault && (!isSwitch || choice === standard),
      edition:
        division === 'versions' || division === 'products' ? `${around.edition}/${active}` : around.edition,
    })
    if (choice.language !== null && result.sidebars.length > 0 && !build.languages.has(choice.language)) {
      build.languages.set(choice.language, choice === standard)
    }
    results.push(result)
    choices.push(navChoice(choice, result, choice === standard))
  }
  const shown = results.filter((_, index) => rawChoices[index]?.isHidden === false)
  const standardResult = standard && results[rawChoices.indexOf(standard)]
  return {
    sidebars: results.flatMap((result) => result.sidebars),
    firstRoute:
      standardResult?.firstRoute ??
      [...shown, ...results].find((result) => result.firstRoute !== null)?.firstRoute ??
      null,
    choices,
  }
}

function defaultChoice(choices: readonly RawChoice[]): RawChoice | undefined {
  return (
    choices.find((choice) => choice.isDefault) ?? choices.find((choice) => !choice.isHidden) ?? choices[0]
  )
}

function navChoice(choice: RawChoice, result: BuiltContent, isDefault: boolean): NavChoice {
  const isMenu = choice.content.kind === 'branch' && choice.content.division === 'menu'
  return {
    label: choice.label,
    href: choice.content.kind === 'link' ? choice.content.href : result.firstRoute,
    sidebars: result.sidebars,
    icon: choice.icon,
    tag: choice.tag,
    description: choice.description,
    color: choice.color,
    isHidden: choice.isHidden,
    isDefault,
    align: choice.align,
    menu: isMenu ? result.choices : [],
  }
}

interface Leaf {
  id: string
  around: BranchContext
  /** Routes in reading order, from which the links to the previous and next page are derived. */
  sequence: string[]
  drafts: {
    route: string
    groups: readonly string[]
    index: number | null
    mention: Omit<Mention, 'placement'>
  }[]
  firstHidden: string | null
}

function buildLeaf(build: Build, items: readonly ResolvedItem[], around: BranchContext): BuiltContent {
  if (items.length === 0) return NO_CONTENT
  const leaf: Leaf = { id: `s${build.sidebars.length}`, around, sequence: [], drafts: [], firstHidden: null }
  const navItems = items.flatMap((item) => buildItem(build, leaf, item, { ...around, groups: [] }))
  const { levels, globals, language } = around
  build.sidebars.push({ id: leaf.id, language, items: navItems, levels, globals })
  for (const { route, groups, index, mention } of leaf.drafts) {
    const previous = index === null ? null : (leaf.sequence[index - 1] ?? null)
    const next = index === null ? null : (leaf.sequence[index + 1] ?? null)
    const placement = { sidebar: leaf.id, groups, previous, next }
    const mentions = build.mentions.get(route)
    if (mentions) mentions.push({ ...mention, placement })
    else build.mentions.set(route, [{ ...mention, placement }])
  }
  return { sidebars: [leaf.id], firstRoute: leaf.sequence[0] ?? leaf.firstHidden, choices: [] }
}

interface ItemContext extends Pick<BranchContext, 'isHidden' | 'isSearchable' | 'directory' | 'boost'> {
  /** Labels of enclosing groups, outermost first. */
  groups: readonly string[]
}

function buildItem(build: Build, leaf: Leaf, item: ResolvedItem, itemContext: ItemContext): NavItem[] {
  if (item.kind === 'link') return [item]
  if (item.kind === 'group') return buildGroup(build, leaf, item, itemContext)
  return addPage(build, leaf, item, itemContext) ? [{ kind: 'page', route: item.route }] : []
}

function buildGroup(build: Build, leaf: Leaf, group: ResolvedGroup, around: ItemContext): NavItem[] {
  const itemContext: ItemContext = {
    groups: group.label === '' ? around.groups : [...around.groups, group.label],
    isHidden: around.isHidden || group.isHidden,
    isSearchable: group.isSearchable ?? around.isSearchable,
    directory: group.directory ?? around.directory,
    boost: group.boost ?? around.boost,
  }
  const root = group.root
  const isRootShown = root !== null && addPage(build, leaf, root, itemContext)
  // If the root page of a group is listed among the group's items again, that listing is ignored.
  const items = group.items
    .filter((item) => !(item.kind === 'page' && item.route === root?.route))
    .flatMap((item) => buildItem(build, leaf, item, itemContext))
  if (items.length === 0 && !isRootShown) return []
  return [
    {
      kind: 'group',
      label: group.label,
      icon: group.icon,
      tag: group.tag,
      root: isRootShown ? root.route : null,
      isExpanded: group.isExpanded,
      isHidden: group.isHidden,
      directory: itemContext.directory,
      items,
    },
  ]
}

/**
 * Records a listing. Returns false only if the page itself is hidden, because a hidden division or group is
 * hidden as a whole.
 */
function addPage(build: Build, leaf: Leaf, page: ResolvedPage, itemContext: ItemContext): boolean {
  const hidesItself = page.isHidden || build.isHiddenPage(page.route)
  // A hidden division has its own sidebar with previous and next links; a hidden group in a visible division
  // does not.
  const isPaged =
    !hidesItself && itemContext.isHidden === leaf.around.isHidden && !build.isLinkPage(page.route)
  let index: number | null = null
  if (isPaged) {
    if (leaf.sequence.at(-1) !== page.route) leaf.sequence.push(page.route)
    index = leaf.sequence.length - 1
  } else leaf.firstHidden ??= page.route
  reportRepetition(build, leaf, page)
  const { language, isDefault } = leaf.around
  const { groups, isSearchable, boost } = itemContext
  const isHidden = itemContext.isHidden || hidesItself
  leaf.drafts.push({
    route: page.route,
    groups,
    index,
    mention: { language, isHidden, isSearchable, isDefault, boost, scope: page.scope },
  })
  return !hidesItself
}

function reportRepetition(build: Build, leaf: Leaf, page: ResolvedPage): void {
  const key = `${leaf.around.edition}\n${page.route}`
  const line = getNodeLine(page.node)
  const first = build.listed.get(key)
  if (first === undefined) build.listed.set(key, line)
  if (first === undefined || first === line) return
  build.problems.push({
    file: page.node.source.file,
    line,
    code: 'navigation.page_twice',
    level: 'hint',
    message: `The page ${page.route} is already in the navigation (line ${first}).`,
    remedy: 'Remove one of the entries unless you want the page in both groups.',
  })
}
