/**
 * Search: a dialog over a MiniSearch index. Loaded on first use; the index arrives as a classic script that calls
 * `globalThis.__octavoSearch(language, json)`, which also works from disk.
 *
 * closed ──open──▶ waiting for the index ──▶ ready ⇄ results of a query
 *                              └─▶ failed (the next open tries again)
 */
import { loadScript } from './dom.ts'
import { createSearchDialog } from './search-dialog.ts'
import { loadEngine, type SearchEngine } from './search-engine.ts'
import type { SearchGlobal } from './search-opener.ts'

interface IndexGlobal {
  __octavoSearch?: (language: string, json: string) => void
}

const engines = new Map<string, Promise<SearchEngine>>()
let dialog: ReturnType<typeof createSearchDialog> | null = null

const open: NonNullable<SearchGlobal['__octavoOpenSearch']> = ({ index, root, language, labels, query }) => {
  dialog ??= createSearchDialog(labels, root)
  dialog.open(query)
  let engine = engines.get(language)
  if (!engine) {
    engine = engineFrom(index, language)
    engines.set(language, engine)
    engine.catch(() => engines.delete(language))
  }
  engine.then(dialog.useEngine, dialog.fail)
}

async function engineFrom(index: string, language: string): Promise<SearchEngine> {
  const arrived = new Promise<SearchEngine>((resolve, reject) => {
    ;(globalThis as IndexGlobal).__octavoSearch = (_, json) => {
      loadEngine(json, language).then(resolve, reject)
    }
  })
  await loadScript(index)
  return arrived
}

;(globalThis as SearchGlobal).__octavoOpenSearch = open
