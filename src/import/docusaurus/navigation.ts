/** Creates one navigation from the sidebars of all plugins, versions and languages. */
import type { NavItem, NavTab } from '../imported-site.ts'
import { omitUndefined } from '../imported-site.ts'
import { asFields, asItems, asText } from '../values.ts'
import type { Blog } from './blog.ts'
import type { DocusaurusConfig } from './config.ts'
import type { Edition } from './editions.ts'

type Division = Record<string, unknown>

export function buildNavigation(config: DocusaurusConfig, editions: readonly Edition[]): Division {
  const locales = config.locales.filter((locale) => editions.some((edition) => edition.locale === locale))
  const languages = locales.map((locale) => ({
    language: locale,
    default: locale === config.defaultLocale || undefined,
    ...languageDivision(
      config,
      editions.filter((edition) => edition.locale === locale),
    ),
  }))
  const [first] = languages
  if (!first) return { pages: [] }
  if (languages.length > 1) return { languages: languages.map(omitUndefined) }
  const { language: _, default: __, ...division } = first
  return division
}

/** Adds a tab for each blog, in the default language only. */
export function addBlogTabs(division: Division, blogs: readonly Blog[]): Division {
  const tabs = blogs.map(({ title, pages }) => ({
    tab: title,
    pages: pages.map(({ target }) => target),
  }))
  if (tabs.length === 0) return division
  if ('languages' in division) {
    const [first = {}, ...others] = division.languages as Division[]
    const { language, default: isDefault, ...own } = first
    const whole = { language, default: isDefault, ...addBlogTabs(own, blogs) }
    return { languages: [omitUndefined(whole), ...others] }
  }
  if ('tabs' in division) return { tabs: [...(division.tabs as NavTab[]), ...tabs] }
  const isEmpty = 'pages' in division && (division.pages as NavItem[]).length === 0
  return { tabs: isEmpty ? tabs : [{ tab: 'Documentation', ...division }, ...tabs] }
}

/**
 * Creates one division per version. If there are several plugins, each becomes a tab with its own versions.
 */
function languageDivision(config: DocusaurusConfig, editions: readonly Edition[]): Division {
  const plugins = config.docs.filter((plugin) => editions.some((edition) => edition.plugin === plugin))
  const divisions = plugins.map((plugin) => ({
    plugin,
    ...versionDivision(
      config,
      editions.filter((edition) => edition.plugin === plugin),
    ),
  }))
  const [first, ...others] = divisions
  if (!first) return { pages: [] }
  if (others.length === 0) return omitUndefined({ ...first, plugin: undefined })
  return {
    tabs: divisions.flatMap(({ plugin, ...division }) =>
      'tabs' in division
        ? (division.tabs as NavTab[])
        : [{ tab: pluginLabel(config, plugin.id), ...division }],
    ),
  }
}

function versionDivision(config: DocusaurusConfig, editions: readonly Edition[]): Division {
  const [first] = editions
  if (!first) return { pages: [] }
  if (editions.length === 1) return sidebarDivision(config, first)
  return {
    versions: editions.map((edition) =>
      omitUndefined({
        version: edition.version.label,
        default: edition.version.isDefault || undefined,
        ...sidebarDivision(config, edition),
      }),
    ),
  }
}

/** Converts sidebars to tabs, in the order of the navbar. A single sidebar becomes the navigation itself. */
function sidebarDivision(config: DocusaurusConfig, edition: Edition): Division {
  const order = navbarSidebars(config)
  const sidebars = edition.sidebars
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => rank(order, a.id) - rank(order, b.id))
  const [first, ...others] = sidebars
  if (!first) return { pages: edition.set.docs.map(({ importedPath }) => importedPath) }
  if (others.length === 0) return { pages: first.items }
  const seen = new Set<string>()
  const tabs: NavTab[] = []
  for (const { id, items } of sidebars) {
    // The navigation may contain a page only once.
    const pages = removeSeen(items, seen)
    if (pages.length > 0) tabs.push({ tab: order.get(id) ?? titleFromId(id), pages })
  }
  return { tabs }
}

function removeSeen(items: readonly NavItem[], seen: Set<string>): NavItem[] {
  return items.flatMap((item): NavItem[] => {
    if (typeof item !== 'string') {
      const pages = removeSeen(item.pages, seen)
      return pages.length === 0 && item.root === undefined ? [] : [{ ...item, pages }]
    }
    if (seen.has(item)) return []
    seen.add(item)
    return [item]
  })
}

/** Maps the id of each sidebar to the label of the navbar item that opens it. */
function navbarSidebars({ theme }: DocusaurusConfig): Map<string, string> {
  const labels = new Map<string, string>()
  for (const item of asItems(asFields(theme.navbar).items)) {
    const { type, sidebarId, label } = asFields(item)
    const id = asText(sidebarId)
    if (type === 'docSidebar' && id !== null) labels.set(id, asText(label) ?? titleFromId(id))
  }
  return labels
}

function rank(order: ReadonlyMap<string, string>, id: string): number {
  const at = [...order.keys()].indexOf(id)
  return at === -1 ? order.size : at
}

function pluginLabel({ theme }: DocusaurusConfig, id: string): string {
  for (const item of asItems(asFields(theme.navbar).items)) {
    const { docsPluginId, label } = asFields(item)
    if (asText(docsPluginId) === id && asText(label) !== null) return asText(label) as string
  }
  return id === 'default' ? 'Documentation' : titleFromId(id)
}

/** Converts the id of a sidebar to a title: `apiSidebar` → `Api`. */
function titleFromId(id: string): string {
  const words = id
    .replace(/[-_]?sidebar$/i, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .trim()
  return words === '' ? 'Documentation' : `${words[0]?.toUpperCase()}${words.slice(1).toLowerCase()}`
}
