/** Searches the pages of a site version with the same index, tokenization and ranking as the readers' search. */
import { createAsyncCache } from '../../base/async-cache.ts'
import type { ListedPage } from '../../render/outputs/page-list.ts'
import type { IndexRoot } from '../../search/format.ts'
import { rootPath } from '../../search/root-path.ts'
import { openSearch, type SearchEngine } from '../../search/search.ts'
import { loadStemmer } from '../../search/stemmers.ts'
import type { SiteFileReader } from './site-files.ts'

export interface SiteSearch {
  /**
   * Returns the best pages of a language first, and pages of `version` before pages of other versions. `most`
   * defaults to eight. Rejects with SearchTooLargeError.
   */
  find(query: string, language: string, version: string | null, most?: number): Promise<FoundPage[]>
}

export interface FoundPage {
  page: ListedPage
  /** Comparable only within one result. */
  score: number
  /** `heading` is empty and `anchor` null for the beginning of a page. */
  passages: { heading: string; anchor: string | null; text: string }[]
}

/** Thrown if an index file is missing or exceeds the memory limit of this process. */
export class SearchTooLargeError extends Error {
  override name = 'SearchTooLargeError'
}

/** Page texts from which an index is built for bundles without search. */
export interface SearchablePages {
  pages: readonly ListedPage[]
  markdown(page: ListedPage): Promise<string | null>
}

const MAX_INDEX_FILE_BYTES = 16 << 20
const MAX_INDEX_PART_CACHE_BYTES = 8 << 20
const MAX_CACHED_LANGUAGES = 4

interface Part {
  content: unknown
  bytes: number
}

export function openSiteSearch(files: SiteFileReader, searched: SearchablePages): SiteSearch {
  const byHref = new Map(searched.pages.map((page) => [page.href, page]))
  const engines = createAsyncCache<SearchEngine | null>({ max: MAX_CACHED_LANGUAGES })
  const parts = createAsyncCache<Part>({ maxSize: MAX_INDEX_PART_CACHE_BYTES, sizeOf: ({ bytes }) => bytes })
  const load = async (path: string) => (await parts.get(path, () => readPart(files, path))).content
  const open = async (language: string): Promise<SearchEngine | null> => {
    const pages = searched.pages.filter((page) => page.language === language)
    if (pages.length === 0) return null
    const root = (await readRoot(files, language)) ?? (await makeRoot(searched, pages, language))
    return openSearch(root, await loadStemmer(language), load)
  }
  return {
    async find(query, language, version, most) {
      const engine = await engines.get(language, () => open(language))
      const found = (await engine?.find(query, version, most)) ?? []
      return found.flatMap(({ href, passage, sections, score }) => {
        const page = byHref.get(href)
        if (page === undefined) return []
        const own = passage.length === 0 ? [] : [{ heading: '', anchor: null, text: passage.join('') }]
        const below = sections.map((one) => ({
          heading: one.heading.join(''),
          anchor: one.href.slice(one.href.indexOf('#') + 1) || null,
          text: one.passage.join(''),
        }))
        return [{ page, score, passages: [...own, ...below] }]
      })
    },
  }
}

async function readRoot(files: SiteFileReader, language: string): Promise<IndexRoot | null> {
  // In older versions, the name of the root contains its content hash.
  const stem = `_octavo/search-${language.replace(/[^\w-]/g, '-')}.`
  const isRoot = (name: string) => name.startsWith(stem) && /^[0-9a-f]{8,}\.js$/.test(name.slice(stem.length))
  for (const name of files.names) {
    if (name !== rootPath(language) && !isRoot(name)) continue
    const [root] = parseArguments(await readScript(files, name), '__octavoSearch')
    return root as IndexRoot
  }
  return null
}

async function readPart(files: SiteFileReader, path: string): Promise<Part> {
  const script = await readScript(files, path)
  const [, content] = parseArguments(script, '__octavoSearchPart')
  return { content, bytes: script.length }
}

async function readScript(files: SiteFileReader, name: string): Promise<string> {
  const bytes = await files.read(name, MAX_INDEX_FILE_BYTES)
  if (bytes === null) throw new SearchTooLargeError(`${name} is missing or too large`)
  return Buffer.from(bytes).toString('utf8')
}

/** An index script is a single call at the beginning of a line, with JSON arguments on the same line. */
function parseArguments(script: string, name: string): unknown[] {
  const call = `\nglobalThis.${name}(`
  const text = `\n${script}`
  const start = text.lastIndexOf(call)
  if (start < 0) throw new Error(`there is no call to ${name}`)
  return JSON.parse(`[${text.slice(start + call.length, text.lastIndexOf(')'))}]`)
}

/** Builds the index from page texts for bundles without search. */
async function makeRoot(
  searched: SearchablePages,
  pages: readonly ListedPage[],
  language: string,
): Promise<IndexRoot> {
  const { makeIndex } = await import('./make-index.ts')
  const [root] = parseArguments(await makeIndex(searched, pages, language), '__octavoSearch')
  return root as IndexRoot
}
