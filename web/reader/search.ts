/**
 * Search script: a dialog over the site's index. Loaded on first use; the index is loaded as classic scripts.
 *
 * closed ──open──▶ loading the index ──▶ ready ⇄ results of a query
 *                          └─▶ failed (the next open tries again)
 */
import { createSearchDialog } from './search-dialog.ts'
import { openSiteSearch, type SiteSearch } from './search-index.ts'
import type { SearchGlobal } from './search-opener.ts'

let dialog: ReturnType<typeof createSearchDialog> | null = null
let search: Promise<SiteSearch> | null = null

const open: NonNullable<SearchGlobal['__octavoOpenSearch']> = ({ labels, query, ...place }) => {
  dialog ??= createSearchDialog(labels, place)
  // The index is on its way while the dialog is drawn.
  search ??= openSiteSearch(place)
  dialog.open(query)
  search.then(dialog.useSearch, () => {
    search = null
    dialog?.fail()
  })
}

;(globalThis as SearchGlobal).__octavoOpenSearch = open
