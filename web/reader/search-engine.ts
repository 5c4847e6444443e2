/** Questions to the index, and answers grouped by page. */
import MiniSearch, { type SearchResult } from 'minisearch'
import { type SearchHit, searchOptions, searchTerm, searchTokens } from '../../src/contract/search-tokens.ts'

export interface SearchEngine {
  language: string
  find(query: string): PageResult[]
}

export interface PageResult {
  title: string
  groups: readonly string[]
  /** From the site's root; of the page itself. */
  href: string
  excerpt: string
  sections: { heading: string; href: string; excerpt: string }[]
  /** Terms of the index that the query met. */
  terms: ReadonlySet<string>
}

const MOST_PAGES = 8
const MOST_SECTIONS = 4

export async function loadEngine(json: string, language: string): Promise<SearchEngine> {
  const index = await MiniSearch.loadJSONAsync(json, searchOptions(language))
  return {
    language,
    find: (query) => {
      const strict = index.search(query)
      return byPage(strict.length > 0 ? strict : index.search(query, { combineWith: 'OR' }))
    },
  }
}

function byPage(results: readonly SearchResult[]): PageResult[] {
  const pages = new Map<string, PageResult & { terms: Set<string> }>()
  for (const result of results) {
    const hit = result as SearchResult & SearchHit
    const path = hit.href.split('#')[0] ?? hit.href
    let page = pages.get(path)
    if (!page) {
      if (pages.size === MOST_PAGES) continue
      page = { title: hit.title, groups: hit.groups, href: path, excerpt: '', sections: [], terms: new Set() }
      pages.set(path, page)
    }
    for (const term of result.terms) page.terms.add(term)
    if (hit.heading === '') page.excerpt = hit.excerpt
    else if (page.sections.length < MOST_SECTIONS) {
      page.sections.push({ heading: hit.heading, href: hit.href, excerpt: hit.excerpt })
    }
  }
  return [...pages.values()]
}

/** The text in pieces, alternately outside and inside of a match. */
export function markTerms(text: string, terms: ReadonlySet<string>, language: string): string[] {
  const pieces: string[] = []
  let end = 0
  let at = 0
  for (const token of searchTokens(text, language)) {
    const start = text.indexOf(token, at)
    if (start < 0) continue
    at = start + token.length
    const term = searchTerm(token)
    if (term === null || !terms.has(term)) continue
    pieces.push(text.slice(end, start), token)
    end = at
  }
  return [...pieces, text.slice(end)]
}
