/** The search index of each language, as a classic script that a page loads when the reader begins to search. */
import MiniSearch from 'minisearch'
import { type SearchHit, searchOptions } from '../contract/search-tokens.ts'
import type { SitePage } from '../site/model.ts'
import type { RenderedBody } from './body.ts'

export interface SearchIndexes {
  /** To be called in the order of the pages, so that the same site gives the same index. */
  add(page: SitePage, sections: RenderedBody['sections']): void
  /** Script by language; only languages with pages. */
  scripts(): { language: string; content: string }[]
}

const EXCERPT_CHARACTERS = 160

/** `hrefOf` gives the address of a page from the root of the site, in the deployment's form. */
export function createSearchIndexes(hrefOf: (route: string) => string): SearchIndexes {
  const indexes = new Map<string, MiniSearch<SearchDocument>>()
  let nextId = 0

  const indexOf = (language: string) => {
    const known = indexes.get(language)
    if (known) return known
    const index = new MiniSearch<SearchDocument>(searchOptions(language))
    indexes.set(language, index)
    return index
  }

  return {
    add: (page, sections) => {
      const index = indexOf(page.language)
      const href = hrefOf(page.route)
      const groups = [...(page.placements[0]?.groups ?? [])]
      const opening = [page.description ?? '', page.keywords.join(' ')].filter(Boolean).join('\n')
      const isOpened = sections[0]?.id === null
      const all = isOpened ? sections : [{ id: null, title: null, text: '' }, ...sections]
      for (const section of all) {
        const isFirst = section === all[0]
        index.add({
          id: nextId++,
          title: page.title,
          heading: section.title ?? '',
          href: section.id === null ? href : `${href}#${encodeURIComponent(section.id)}`,
          groups,
          ...(page.boost === 1 ? {} : { boost: page.boost }),
          excerpt: excerptOf((isFirst && page.description) || section.text),
          text: isFirst ? `${opening}\n${section.text}` : section.text,
        })
      }
    },
    scripts: () =>
      [...indexes.keys()].sort().map((language) => {
        const json = JSON.stringify(indexes.get(language))
        const call = [language, json].map((argument) => scriptString(argument)).join(',')
        return { language, content: `globalThis.__octavoSearch(${call})\n` }
      }),
  }
}

/** Pages that search may show: reachable, not kept out, and without a link of their own to elsewhere. */
export function isInSearch(page: SitePage): boolean {
  return page.isSearchable && page.url === null
}

interface SearchDocument extends SearchHit {
  id: number
  text: string
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
