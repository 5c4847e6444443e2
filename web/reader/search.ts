/**
 * Search script: a dialog over the site's index. Loaded on first use; the index is loaded as classic scripts.
 *
 * closed ──open──▶ loading the index ──▶ ready ⇄ results of a query
 *                          └─▶ failed (the next open tries again)
 */
import { createElement } from './dom.ts'
import { createSearchDialog } from './search-dialog.ts'
import { openSiteSearch, type Result, type SiteSearch } from './search-index.ts'
import type { SearchGlobal } from './search-opener.ts'

let dialog: ReturnType<typeof createSearchDialog> | null = null
let search: Promise<SiteSearch> | null = null

const open: NonNullable<SearchGlobal['__octavoOpenSearch']> = ({ labels, query, ...searchLocation }) => {
  dialog ??= createSearchDialog(labels, searchLocation)
  // The index loads while the dialog is rendered.
  search ??= openSiteSearch(searchLocation)
  dialog.open(query)
  search.then(dialog.useSearch, () => {
    search = null
    dialog?.fail()
  })
}

const MAX_SUGGESTED_PAGES = 5

/** Suggests the pages whose words are most similar to those of a URL without a page. */
const suggest: NonNullable<SearchGlobal['__octavoSuggestPages']> = async ({
  labels,
  into,
  ...searchLocation
}) => {
  search ??= openSiteSearch(searchLocation)
  const results = await findPagesLike(
    await search,
    location.pathname.slice(new URL(searchLocation.root).pathname.length),
  )
  if (results.length === 0) return
  const items = results.slice(0, MAX_SUGGESTED_PAGES).map(({ href, title }) => {
    const link = createElement('a', { href: searchLocation.root + href.replace(/^\//, '') }, title.join(''))
    return createElement('li', {}, link)
  })
  const heading = createElement('p', {}, labels.nearest)
  into.append(
    createElement(
      'nav',
      { class: 'not-found-nearest', 'aria-label': labels.nearest },
      heading,
      createElement('ul', {}, ...items),
    ),
  )
}

/** Omits the first words of a path until pages are found, because the end of a URL usually names the page. */
async function findPagesLike({ find, corrections }: SiteSearch, path: string): Promise<Result[]> {
  const words = decodePath(path)
    .replace(/\.html?$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  for (let from = Math.max(0, words.length - 6); from < words.length; from++) {
    const query = words.slice(from).join(' ')
    for (const wanted of [query, ...(await corrections(query))]) {
      const results = await find(wanted)
      if (results.length > 0) return results
    }
  }
  return []
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

Object.assign(globalThis as SearchGlobal, { __octavoOpenSearch: open, __octavoSuggestPages: suggest })
