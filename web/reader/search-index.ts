/**
 * Search indexes of a site, loaded as classic scripts, which also works from disk. The reader's language and version
 * come first; pages that exist only in other languages follow when there are few results.
 */
import type { IndexRoot } from '../../src/search/format.ts'
import { type FoundPage, openSearch, type SearchEngine } from '../../src/search/search.ts'
import type { Stemmer } from '../../src/search/words.ts'
import { loadScript } from './dom.ts'

export interface SearchLocation {
  index: string
  language: string
  version: string | null
  /** URL of the list of all languages; null for a monolingual site. */
  indexes: string | null
  root: string
}

export interface Result extends FoundPage {
  /** Language of the page, if it differs from the reader's language. */
  language: string | null
}

export interface SiteSearch {
  /** Debounce in ms before anything is loaded; 0 when everything has been loaded. */
  pause: number
  find(query: string): Promise<Result[]>
  corrections(query: string): Promise<string[]>
}

/**
 * Minimum number of results in the reader's language; with fewer results, other languages are searched too.
 */
const MIN_OWN_RESULTS = 3
const MAX_OTHER_LANGUAGES = 3
const PAUSE_MS = 120
const SCRIPTS: readonly [RegExp, readonly string[]][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['zh', 'ja']],
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'bg', 'sr']],
  [/\p{Script=Arabic}/u, ['ar', 'fa', 'ur']],
  [/\p{Script=Hebrew}/u, ['he']],
  [/\p{Script=Devanagari}/u, ['hi', 'ne', 'mr']],
  [/\p{Script=Thai}/u, ['th']],
]

interface LanguageFile {
  language: string
  path: string
}

interface IndexGlobals {
  __octavoSearch?: (root: IndexRoot) => void
  __octavoSearchPart?: (path: string, content: unknown) => void
  __octavoSearchLanguages?: (files: LanguageFile[]) => void
  __octavoStemmer?: (language: string, stemmer: Stemmer) => void
}

const globals = globalThis as IndexGlobals

/** Rejects when the index of the reader's language cannot be loaded. */
export async function openSiteSearch(location: SearchLocation): Promise<SiteSearch> {
  const own = await loadEngine(location.index, location)
  const others = createOtherEngines(location)
  return {
    pause: own.isWhole ? 0 : PAUSE_MS,
    corrections: (query) => own.corrections(query),
    find: async (query) => {
      const found = await own.find(query, location.version)
      const results: Result[] = found.map((page) => ({ ...page, language: null }))
      if (results.length >= MIN_OWN_RESULTS || location.indexes === null) return results
      for (const other of await others(query, results.length === 0)) {
        const foreign = await other.find(query, null)
        // Excludes pages that also exist in the reader's language, where they did not match.
        const missing = foreign.filter(({ languages }) => !languages.includes(location.language))
        results.push(...missing.map((page) => ({ ...page, language: other.language })))
      }
      return results
    },
  }
}

/**
 * Returns a function that loads engines of other languages: those written in the script of the query. If the script
 * indicates no language, loads the first one; with `isLost` (no results at all), as many as the limit allows.
 */
function createOtherEngines(
  location: SearchLocation,
): (query: string, isLost: boolean) => Promise<SearchEngine[]> {
  const engines = new Map<string, Promise<SearchEngine>>()
  let files: Promise<LanguageFile[]> | null = null
  return async (query, isLost) => {
    files ??= loadLanguageFiles(location.indexes ?? '')
    const all = (await files.catch(() => [])).filter(({ language }) => language !== location.language)
    const spoken = SCRIPTS.filter(([script]) => script.test(query)).flatMap(([, languages]) => languages)
    const isSpoken = ({ language }: LanguageFile) => spoken.includes(language.split('-')[0] ?? '')
    const asked = spoken.length > 0 ? all.filter(isSpoken) : isLost ? all : all.slice(0, 1)
    const opened = asked.slice(0, MAX_OTHER_LANGUAGES).map(({ path }) => {
      const engine = engines.get(path) ?? loadEngine(location.root + path, location)
      engines.set(path, engine)
      return engine.catch(() => {
        engines.delete(path)
        return null
      })
    })
    return (await Promise.all(opened)).filter((engine) => engine !== null)
  }
}

async function loadLanguageFiles(address: string): Promise<LanguageFile[]> {
  let files: LanguageFile[] = []
  globals.__octavoSearchLanguages = (list) => {
    files = list
  }
  await loadScript(address)
  return files
}

/** Loads indexes one after another, because the global callbacks do not identify the script that calls them. */
let loadQueue: Promise<unknown> = Promise.resolve()

function loadEngine(address: string, { root }: SearchLocation): Promise<SearchEngine> {
  const engine = loadQueue
    .catch(() => {})
    .then(async () => {
      let stemmer: Stemmer | null = null
      let index: IndexRoot | null = null
      globals.__octavoStemmer = (_, loaded) => {
        stemmer = loaded
      }
      globals.__octavoSearch = (loaded) => {
        index = loaded
      }
      await loadScript(address)
      if (index === null) throw new Error(`${address} is not a search index`)
      return openSearch(index, stemmer, (path) => loadPart(root, path))
    })
  loadQueue = engine
  return engine
}

const parts = new Map<string, unknown>()
globals.__octavoSearchPart = (path, content) => parts.set(path, content)

async function loadPart(root: string, path: string): Promise<unknown> {
  if (!parts.has(path)) await loadScript(root + path)
  if (!parts.has(path)) throw new Error(`${path} is not part of a search index`)
  return parts.get(path)
}
