/** Writes the list of pages. For the format, see page-list.ts. */
import type { Site, SitePage } from '../../site/model.ts'
import { toSingleLine } from '../html/markdown-text.ts'
import type { LinkRewriter } from '../links/links.ts'
import { sortByReadingOrder } from '../links/sort-pages.ts'
import { isInSearch, searchHref } from '../search/search-pages.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { ListedPage, ListedSite } from './page-list.ts'

const MAX_TEXT_CHARACTERS = 300
const MAX_NAVIGATION_LABELS = 12

interface PageListScope {
  site: Site
  plan: readonly SitePage[]
  names: Pick<OutputNames, 'twins'>
  links: Pick<LinkRewriter, 'rewriteLink'>
  takesFeedback: boolean
}

export function createPageList({ site, plan, names, links, takesFeedback }: PageListScope): string {
  const { name, description } = site.config
  const listedSite: ListedSite = {
    name: shorten(name),
    description: description ? shorten(description) : null,
    languages: site.languages.map(({ code }) => code),
    takesFeedback,
  }
  const navigationLabels = listNavigationLabels(site)
  const pages = sortByReadingOrder(site, plan.filter(isInSearch)).map((page): ListedPage => {
    const [placement] = page.placements
    const { version, labels } = navigationLabels.get(placement?.sidebar ?? '') ?? {
      version: null,
      labels: [],
    }
    return {
      route: page.route,
      file: names.twins.get(page.route) as string,
      href: searchHref(links, page),
      title: shorten(page.title),
      description: page.description === null ? null : shorten(page.description),
      updated: page.lastUpdated?.slice(0, 10) ?? null,
      language: page.language,
      ...(page.tag !== null && { tag: shorten(page.tag) }),
      version,
      place: [...labels, ...(placement?.groups ?? [])].slice(0, MAX_NAVIGATION_LABELS).map(shorten),
      operation: page.operation && {
        method: page.operation.method,
        path: page.operation.path,
        summary: page.operation.summary && shorten(page.operation.summary),
      },
    }
  })
  return [listedSite, ...pages].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Returns the version and the labels of other divisions by sidebar. */
export function listNavigationLabels(site: Site): Map<string, { version: string | null; labels: string[] }> {
  return new Map(
    site.sidebars.map(({ id, levels }) => {
      const chosen = levels.flatMap(({ kind, choices, active }) => {
        const choice = active === null ? undefined : choices[active]
        return choice === undefined || kind === 'languages' ? [] : [{ kind, label: choice.label }]
      })
      const version = chosen.find(({ kind }) => kind === 'versions')?.label ?? null
      const labels = chosen.filter(({ kind }) => kind !== 'versions').map(({ label }) => label)
      return [id, { version: version && shorten(version), labels }]
    }),
  )
}

function shorten(text: string): string {
  const flat = toSingleLine(text)
  if (flat.length <= MAX_TEXT_CHARACTERS) return flat
  return `${flat.slice(0, MAX_TEXT_CHARACTERS - 1).trimEnd()}…`.replace(/[\ud800-\udbff]…$/, '…')
}
