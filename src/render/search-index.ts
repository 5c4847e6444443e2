/** The search index of each language, as a classic script that a page loads when the reader begins to search. */
import type { SitePage } from '../site/model.ts'
import type { RenderedBody } from './body.ts'
import { encodePath } from './encode-path.ts'
import type { LinkRewriter } from './links.ts'
import { createTermIndex, type TermIndex } from './search-terms.ts'

/** What of a page can be found; plain data, for the thread in which the index is made. */
export interface SearchPage {
  language: string
  title: string
  /** From the root of the site, in the deployment's form. */
  href: string
  /** Labels of the groups that it stands in, outermost first. */
  groups: readonly string[]
  description: string
  keywords: readonly string[]
  boost: number
  sections: RenderedBody['sections']
}

export interface SearchScript {
  language: string
  content: string
}

export interface SearchIndexes {
  /** To be called in the order of the pages, so that the same site gives the same index. */
  add(page: SearchPage): void
  /** Script by language; only languages with pages. */
  scripts(): SearchScript[]
}

const EXCERPT_CHARACTERS = 160

export function createSearchIndexes(): SearchIndexes {
  const indexes = new Map<string, TermIndex>()

  const indexOf = (language: string) => {
    const known = indexes.get(language)
    if (known) return known
    const index = createTermIndex(language)
    indexes.set(language, index)
    return index
  }

  return {
    add: ({ language, title, href, groups, description, keywords, boost, sections }) => {
      const index = indexOf(language)
      const opening = [description, keywords.join(' ')].filter(Boolean).join('\n')
      const isOpened = sections[0]?.id === null
      const all = isOpened ? sections : [{ id: null, title: null, text: '' }, ...sections]
      for (const section of all) {
        const isFirst = section === all[0]
        index.add({
          title,
          heading: section.title ?? '',
          href: section.id === null ? href : `${href}#${encodeURIComponent(section.id)}`,
          groups,
          ...(boost === 1 ? {} : { boost }),
          excerpt: excerptOf((isFirst && description) || section.text),
          text: isFirst ? `${opening}\n${section.text}` : section.text,
        })
      }
    },
    scripts: () =>
      [...indexes]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([language, index]) => {
          const call = [language, index.toJson()].map((argument) => scriptString(argument)).join(',')
          return { language, content: `globalThis.__octavoSearch(${call})\n` }
        }),
  }
}

/** Pages that search may show: reachable, not kept out, and without a link of their own to elsewhere. */
export function isInSearch(page: SitePage): boolean {
  return page.isSearchable && page.url === null
}

/** Where a hit on the page leads. */
export function searchHref(links: Pick<LinkRewriter, 'rewriteLink'>, page: SitePage): string {
  return links.rewriteLink(`/${encodePath(page.route.slice(1))}`, 0)
}

export function searchPage(page: SitePage, href: string, sections: RenderedBody['sections']): SearchPage {
  return {
    language: page.language,
    title: page.title,
    href,
    groups: page.placements[0]?.groups ?? [],
    description: page.description ?? '',
    keywords: page.keywords,
    boost: page.boost,
    sections,
  }
}

function excerptOf(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  if (flat.length <= EXCERPT_CHARACTERS) return flat
  const cut = flat.slice(0, EXCERPT_CHARACTERS)
  const space = cut.lastIndexOf(' ')
  return `${space > EXCERPT_CHARACTERS / 2 ? cut.slice(0, space) : cut}…`.replace(/[\ud800-\udbff]…$/, '…')
}

/** A JSON string is a JavaScript string once the two line separators are escaped; `<` so that it can stand inline. */
function scriptString(text: string): string {
  return JSON.stringify(text)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
