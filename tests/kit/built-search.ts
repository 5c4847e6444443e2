/** Runs the search of a built site without a browser. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { IndexRoot, PageText } from '../../src/search/format.ts'
import { openSearch, type SearchEngine } from '../../src/search/search.ts'
import type { Stemmer } from '../../src/search/words.ts'

export interface BuiltSearch extends SearchEngine {
  root: IndexRoot
  /** Texts of all pages, in site order. */
  texts: readonly PageText[]
  /** Returns the bytes loaded since the last call, raw and gzipped. */
  takeLoaded(): { raw: number; gzip: number; files: number }
  /** Returns a search with nothing loaded, as after opening the page again. */
  reopen(): BuiltSearch
}

/** Opens the search indexes of a site, keyed by language. */
export function openBuiltSearch(site: string): ReadonlyMap<string, BuiltSearch> {
  const names = readdirSync(join(site, '_octavo'))
  const roots = names.filter((name) => /^search-[\w-]+\.js$/.test(name))
  const opened = roots.map((name) => openRoot(site, `_octavo/${name}`))
  return new Map(opened.map((search) => [search.language, search]))
}

function openRoot(site: string, path: string): BuiltSearch {
  const loaded = new Map<string, { raw: number; gzip: number }>()
  const run = (file: string, receivers: Record<string, unknown>) => {
    const script = readFileSync(join(site, file))
    loaded.set(file, { raw: script.length, gzip: gzipSync(script).length })
    new Function('globalThis', script.toString())(receivers)
  }
  const part = (file: string): unknown => {
    let content: unknown = null
    run(file, { __octavoSearchPart: (_: string, given: unknown) => (content = given) })
    return content
  }
  let root: IndexRoot | null = null
  let stemmer: Stemmer | null = null
  run(path, {
    __octavoSearch: (given: IndexRoot) => (root = given),
    __octavoStemmer: (_: string, given: Stemmer) => (stemmer = given),
  })
  const index = root as IndexRoot | null
  if (index === null) throw new Error(`${path} is not a search index`)
  const parts = new Map<string, unknown>()
  const engine = openSearch(index, stemmer, async (file) => {
    if (!parts.has(file)) parts.set(file, part(file))
    return parts.get(file)
  })
  const own = [...loaded]
  const texts =
    index.texts ?? index.textParts.flatMap(([, name]) => part(`${index.folder}${name}.js`) as PageText[])
  loaded.clear()
  for (const [file, size] of own) loaded.set(file, size)
  return {
    ...engine,
    root: index,
    texts,
    takeLoaded: () => {
      const all = [...loaded.values()]
      loaded.clear()
      const sum = (kind: 'raw' | 'gzip') => all.reduce((total, size) => total + size[kind], 0)
      return { raw: sum('raw'), gzip: sum('gzip'), files: all.length }
    },
    reopen: () => openRoot(site, path),
  }
}
