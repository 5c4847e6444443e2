/** Selects the pages to index and extracts their searchable data. */
import type { IndexVersions } from '../../search/format.ts'
import type { NavLevel, Site, SitePage } from '../../site/model.ts'
import { createCounterparts } from '../chrome/counterparts.ts'
import { encodePath } from '../html/encode-path.ts'
import type { LinkRewriter } from '../links/links.ts'
import type { RenderedBody } from '../page/body.ts'

export interface IndexSettings {
  versions: Omit<IndexVersions, 'runs'> | null
  /** Puts everything for a language in one file, regardless of size. */
  isWhole: boolean
}

/** Searchable parts of a page; plain data, for transfer to the indexing thread. */
export interface SearchPage {
  language: string
  title: string
  /** Route in the site, independent of the deployment. */
  route: string
  /** URL relative to the root of the site, in the form that links have in this deployment. */
  href: string
  groups: readonly string[]
  description: string
  keywords: readonly string[]
  /** Factor for ranking among equally good matches; 1 for a guide. */
  weight: number
  /** Date of the last change, `2026-03-01`. */
  updated: string | null
  /** Numbers of the versions that contain the page, and of other versions with a counterpart of the page. */
  versions: readonly number[]
  versionTwins: readonly number[]
  /** Languages with a counterpart of the page. */
  languageTwins: readonly string[]
  sections: RenderedBody['sections']
}

/** Weights of page types: among equally good matches, explanatory pages come first. */
const GENERATED_WEIGHT = 0.5
const CHANGELOG_WEIGHT = 0.25
const GALLERY_WEIGHT = 0.85
/** Factor for each folder level below the second. */
const DEPTH_WEIGHT = 0.96
const CHANGES_ROUTE = /(?:^|[/-])(?:change-?logs?|release-?notes?|releases|whats-new)(?:[/-]|$)/i
/** Paths used by reference generators of other tools: `/python-sdk/server-context`, `/api-reference/webhooks`. */
const REFERENCE_ROUTE = /^\/(?:[^/]+\/)*(?:[\w-]*sdk|(?:[\w-]+-)?reference|api|[\w-]+-api|api-[\w-]+)\//i
const GALLERY_ROUTE = /\/(?:components?|gallery|showcase|snippets)\//i

/**
 * Returns true for pages that search can show: reachable, not excluded, and not just a link to another URL.
 */
export function isInSearch(page: SitePage): boolean {
  return page.isSearchable && page.url === null
}

export function searchHref(links: Pick<LinkRewriter, 'rewriteLink'>, page: SitePage): string {
  return links.rewriteLink(`/${encodePath(page.route.slice(1))}`, 0)
}

export function indexSettings(site: Pick<Site, 'sidebars'>): IndexSettings {
  return { versions: listVersions(site), isWhole: false }
}

export type SearchPages = (page: SitePage, href: string, sections: RenderedBody['sections']) => SearchPage

export function searchPages(site: Pick<Site, 'pages' | 'sidebars'>): SearchPages {
  const versions = listVersions(site)
  const twins = createTwins(site, versions?.labels ?? [])
  return (page, href, sections) => ({
    language: page.language,
    title: page.title,
    route: page.route,
    href,
    groups: page.placements[0]?.groups ?? [],
    description: page.description ?? '',
    keywords: page.keywords,
    weight: computeWeight(page),
    updated: page.lastUpdated?.slice(0, 10) ?? null,
    ...twins(page),
    sections: sections[0]?.id === null ? sections : [{ id: null, title: null, text: '' }, ...sections],
  })
}

function computeWeight(page: SitePage): number {
  const folders = page.route.split('/').length - 2
  return page.boost * kindWeight(page) * DEPTH_WEIGHT ** Math.max(0, folders - 2)
}

function kindWeight({ route, operation, frontmatter }: SitePage): number {
  if (operation !== null || frontmatter.api !== undefined || frontmatter.openapi !== undefined)
    return GENERATED_WEIGHT
  if (CHANGES_ROUTE.test(route)) return CHANGELOG_WEIGHT
  if (REFERENCE_ROUTE.test(route)) return GENERATED_WEIGHT
  return GALLERY_ROUTE.test(route) ? GALLERY_WEIGHT : 1
}

function listVersions({ sidebars }: Pick<Site, 'sidebars'>): IndexSettings['versions'] {
  const choices = sidebars.flatMap(
    ({ levels }) => levels.find(({ kind }) => kind === 'versions')?.choices ?? [],
  )
  const labels = [...new Set(choices.map(({ label }) => label))]
  if (labels.length < 2) return null
  const first = choices.find(({ isDefault }) => isDefault)?.label
  return { labels, default: Math.max(0, labels.indexOf(first ?? '')) }
}

type PageTwins = Pick<SearchPage, 'versions' | 'versionTwins' | 'languageTwins'>

function createTwins(
  site: Pick<Site, 'pages' | 'sidebars'>,
  labels: readonly string[],
): (page: SitePage) => PageTwins {
  const sidebars = new Map(site.sidebars.map((sidebar) => [sidebar.id, sidebar]))
  const counterparts = createCounterparts({ site })
  let known: ReadonlySet<string> | null = null
  const isFolder = (route: string) => {
    known ??= new Set([...site.pages.keys()].map((route) => route.slice(0, route.lastIndexOf('/'))))
    return known.has(route)
  }
  // Start pages of two languages correspond too, even if their routes have different last segments.
  const isSame = (route: string, other: string) =>
    getLastSegment(route) === getLastSegment(other) || (isFolder(route) && isFolder(other))
  const languageOf = ({ choices }: NavLevel, index: number) =>
    sidebars.get(choices[index]?.sidebars[0] ?? '')?.language ?? null
  return (page) => {
    const versions = new Set<number>()
    const versionTwins = new Set<number>()
    const languageTwins = new Set<string>()
    const levels = page.placements.flatMap(({ sidebar }) => sidebars.get(sidebar)?.levels ?? [])
    for (const level of levels) {
      if (level.kind !== 'versions' && level.kind !== 'languages') continue
      for (const [index, choice] of level.choices.entries()) {
        const isOwn = index === level.active
        const other = isOwn ? page.route : counterparts.exact(page, level, choice)
        const isTwin = other !== null && isSame(page.route, other)
        if (level.kind === 'versions') {
          const number = labels.indexOf(choice.label)
          if (isOwn && number >= 0) versions.add(number)
          if (isTwin && number >= 0) versionTwins.add(number)
        }
        const language = level.kind === 'languages' && isTwin ? languageOf(level, index) : null
        if (language !== null) languageTwins.add(language)
      }
    }
    return {
      versions: [...versions].sort((a, b) => a - b),
      versionTwins: [...versionTwins].filter((number) => !versions.has(number)),
      languageTwins: [...languageTwins].filter((language) => language !== page.language),
    }
  }
}

function getLastSegment(route: string): string {
  return route.slice(route.lastIndexOf('/') + 1)
}
