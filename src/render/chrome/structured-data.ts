/** Renders JSON-LD: type, publisher and breadcrumb of a page. */
import type { NavGroup, NavItem, NavLevel, Sidebar, SitePage } from '../../site/model.ts'
import { parseDate } from '../../site/pages/page-dates.ts'
import { plainText } from '../html/inline-markup.ts'
import type { Markup } from '../html/markup.ts'
import { html, raw } from '../html/template.ts'
import { findFirstPage } from '../links/directories.ts'
import { languageTag } from '../words/ui-text.ts'
import { getCanonicalUrl, getSiteBaseUrl, toAbsoluteUrl } from './page-urls.ts'
import type { SiteView } from './site-view.ts'

export interface StructuredData {
  /** Returns the script element, or nothing if the URL of the site is unknown. */
  script(page: SitePage, facts: PageFacts): Markup
}

export interface PageFacts {
  canonical: string
  description: string | null
  /** Absolute URL. */
  image: string | null
}

interface Crumb {
  name: string
  item: string
}

export function createStructuredData(view: SiteView): StructuredData {
  const base = getSiteBaseUrl(view)
  const trails = new Map<string, ReadonlyMap<string, readonly NavGroup[]>>()
  const groupsAround = (page: SitePage): readonly NavGroup[] => {
    const sidebar = view.sidebar(page.placements[0]?.sidebar ?? '')
    if (!sidebar) return []
    let trail = trails.get(sidebar.id)
    if (!trail) {
      trail = indexGroupTrails(sidebar)
      trails.set(sidebar.id, trail)
    }
    return trail.get(page.route) ?? []
  }
  return {
    script: (page, facts) => {
      if (base === null) return []
      const graph = [
        organization(view, base),
        webSite(view, base),
        webPage(view, base, page, facts),
        breadcrumbs(facts, createCrumbs(view, base, page, facts, groupsAround(page))),
        article(base, page, facts),
      ]
      const data = { '@context': 'https://schema.org', '@graph': graph.map(withoutEmpty) }
      return html`<script type="application/ld+json">${raw(jsonForScript(data))}</script>`
    },
  }
}

/** Escapes `<`, which could end the script element or start a comment. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

function withoutEmpty(node: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}

function organizationId(view: SiteView, base: string): string {
  return view.site.config.seo.organization.id ?? `${base}/#organization`
}

function organization(view: SiteView, base: string): Record<string, unknown> {
  const { config } = view.site
  const own = config.seo.organization
  const logo = own.logo ?? config.logo?.light ?? null
  const socials = config.footer.socials.map(({ href }) => href).filter((href) => /^https?:/i.test(href))
  return {
    '@type': 'Organization',
    '@id': organizationId(view, base),
    name: own.name ?? config.name,
    legalName: own.legalName,
    url: own.url ?? `${base}/`,
    logo: logo && toAbsoluteUrl(view, logo),
    sameAs: own.sameAs.length > 0 ? own.sameAs : socials,
  }
}

function webSite(view: SiteView, base: string): Record<string, unknown> {
  const { name, description } = view.site.config
  return {
    '@type': 'WebSite',
    '@id': `${base}/#website`,
    name,
    description,
    url: `${base}/`,
    publisher: { '@id': organizationId(view, base) },
  }
}

function webPage(view: SiteView, base: string, page: SitePage, facts: PageFacts): Record<string, unknown> {
  return {
    '@type': 'WebPage',
    '@id': `${facts.canonical}#webpage`,
    url: facts.canonical,
    name: getTitle(page),
    description: facts.description,
    inLanguage: languageTag(page.language),
    dateCreated: parseDate(page.frontmatter.createdDate),
    dateModified: page.lastUpdated,
    isPartOf: { '@id': `${base}/#website` },
    publisher: { '@id': organizationId(view, base) },
    breadcrumb: { '@id': `${facts.canonical}#breadcrumb` },
  }
}

function article(base: string, page: SitePage, facts: PageFacts): Record<string, unknown> {
  return {
    '@type': page.operation ? 'APIReference' : 'TechArticle',
    '@id': `${facts.canonical}#article`,
    headline: getTitle(page).slice(0, 110),
    description: facts.description,
    image: facts.image,
    keywords: page.keywords.join(', '),
    inLanguage: languageTag(page.language),
    mainEntityOfPage: { '@id': `${facts.canonical}#webpage` },
    isPartOf: { '@id': `${base}/#website` },
  }
}

/** Returns the title as plain text, or unchanged if it consists only of markup. */
function getTitle(page: SitePage): string {
  return plainText(page.title).trim() || page.title
}

function breadcrumbs(facts: PageFacts, crumbs: readonly Crumb[]): Record<string, unknown> {
  return {
    '@type': 'BreadcrumbList',
    '@id': `${facts.canonical}#breadcrumb`,
    itemListElement: crumbs.map((crumb, index) => ({ '@type': 'ListItem', position: index + 1, ...crumb })),
  }
}

/** Returns the breadcrumb from the root to the page. A level without a page links to its first page. */
function createCrumbs(
  view: SiteView,
  base: string,
  page: SitePage,
  facts: PageFacts,
  groups: readonly NavGroup[],
): Crumb[] {
  const crumbs: Crumb[] = []
  const add = (name: string, item: string | null) => {
    if (item === null || name === '' || item === facts.canonical) return
    // Keeps only the innermost of several levels with the same page.
    if (crumbs.length > 1 && crumbs.at(-1)?.item === item) crumbs.pop()
    if (crumbs.at(-1)?.item !== item) crumbs.push({ name, item })
  }
  const addRoute = (name: string, route: string | null) => {
    const target = route === null ? undefined : view.site.pages.get(route)
    add(name, target ? getCanonicalUrl(view, target) : null)
  }
  add(view.site.config.name, `${base}/`)
  for (const level of view.sidebarOf(page)?.levels ?? []) {
    const choice = level.active === null ? undefined : level.choices[level.active]
    if (choice && isInHierarchy(level)) addRoute(choice.label, choice.href)
  }
  for (const group of groups) addRoute(group.label, group.root ?? findFirstPage(group.items))
  crumbs.push({ name: getTitle(page), item: facts.canonical })
  return crumbs
}

/** Returns whether a level is part of the hierarchy. All levels except languages are. */
function isInHierarchy(level: NavLevel): boolean {
  return level.kind !== 'languages'
}

/** Returns the groups around the first location of each page, outermost first. */
function indexGroupTrails(sidebar: Sidebar): ReadonlyMap<string, readonly NavGroup[]> {
  const trails = new Map<string, readonly NavGroup[]>()
  const addTrail = (route: string, groups: readonly NavGroup[]) => {
    if (!trails.has(route)) trails.set(route, groups)
  }
  const walk = (items: readonly NavItem[], groups: readonly NavGroup[]) => {
    for (const item of items) {
      if (item.kind === 'page') addTrail(item.route, groups)
      if (item.kind !== 'group') continue
      if (item.root !== null) addTrail(item.root, groups)
      walk(item.items, [...groups, item])
    }
  }
  walk(sidebar.items, [])
  return trails
}
