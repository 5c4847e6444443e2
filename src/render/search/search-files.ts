/** Entry files of the search: one root file per language, and a list of these root files. */
import { rootPath } from '../../search/root-path.ts'
import { stemmedLanguage } from '../../search/stemmers.ts'
import type { Site, SitePage } from '../../site/model.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { readBundleText } from '../machinery/own-bundles.ts'
import type { RenderInput } from '../page/render-input.ts'
import type { SearchScript } from './search-index.ts'
import { isInSearch } from './search-pages.ts'

/** Paths of the search files, which are known before the indexes are built. */
export interface SearchPaths {
  /** Root files by language; empty if search is off. */
  indexes: Readonly<Record<string, Pick<BuiltInFile, 'path'>>>
  /** Lists all root files, default language first; null for a site with one language. */
  languages: BuiltInFile<string> | null
}

export function createSearchPaths(
  { features, site }: Pick<RenderInput, 'features' | 'site'>,
  pages: readonly SitePage[],
): SearchPaths {
  const languages = new Set(features.search ? pages.filter(isInSearch).map(({ language }) => language) : [])
  const roots = [...languages].map((language) => [language, { path: rootPath(language) }] as const)
  return { indexes: Object.fromEntries(roots), languages: languageList(roots, site) }
}

/** Includes the language's stemmer, so that queries are stemmed in the same way as the index. */
export async function createSearchRootContent({ language, content }: SearchScript): Promise<string> {
  const stemmed = stemmedLanguage(language)
  return stemmed === null ? content : `${await readBundleText(`stemmer-${stemmed}.js`)}\n${content}`
}

function languageList(
  roots: readonly (readonly [string, Pick<BuiltInFile, 'path'>])[],
  { languages }: Pick<Site, 'languages'>,
): BuiltInFile<string> | null {
  if (roots.length < 2) return null
  const order = languages.map(({ code }) => code)
  const list = roots
    .map(([language, { path }]) => ({ language, path }))
    .sort((a, b) => order.indexOf(a.language) - order.indexOf(b.language))
  const value = JSON.stringify(list).replaceAll('<', '\\u003c')
  return hashed('search-languages', 'js', `globalThis.__octavoSearchLanguages(${value})\n`)
}
