/** The files of a site that search begins with: the root of each language, and the list of them. */
import { rootPath } from '../../search/root-path.ts'
import { stemmedLanguage } from '../../search/stemmers.ts'
import type { Site } from '../../site/model.ts'
import { type BuiltInFile, hashed } from '../machinery/built-ins.ts'
import { ownBundle } from '../machinery/own-bundles.ts'
import type { SearchScript } from './search-index.ts'

export interface SearchFiles {
  /** The root by language. */
  indexes: Readonly<Record<string, BuiltInFile<string>>>
  /** Names all roots, the default language first; null for a site of one language. */
  languages: BuiltInFile<string> | null
}

export const NO_SEARCH_FILES: SearchFiles = { indexes: {}, languages: null }

export async function searchFiles(
  scripts: readonly SearchScript[],
  site: Pick<Site, 'languages'>,
): Promise<SearchFiles> {
  const roots = await Promise.all(
    scripts.map(async (script) => {
      const content = await rootContent(script)
      return [script.language, { path: rootPath(script.language), content }] as const
    }),
  )
  return { indexes: Object.fromEntries(roots), languages: languageList(roots, site) }
}

/** What reduces words to their roots comes with the index whose words it has reduced. */
export async function rootContent({ language, content }: SearchScript): Promise<string> {
  const stemmed = stemmedLanguage(language)
  return stemmed === null ? content : `${await ownBundle(`stemmer-${stemmed}.js`)}\n${content}`
}

export function languageList(
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
