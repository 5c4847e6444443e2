/** Builds a search index from the page texts of a bundle that has no index. */
import type { ListedPage } from '../../render/outputs/page-list.ts'
import { createSearchIndexes } from '../../render/search/search-index.ts'
import { markdownSections } from './markdown-sections.ts'
import type { SearchablePages } from './site-search.ts'

/** Returns the script with the root of the index. */
export async function makeIndex(
  { markdown }: Pick<SearchablePages, 'markdown'>,
  pages: readonly ListedPage[],
  language: string,
): Promise<string> {
  const indexes = createSearchIndexes({ versions: null, isWhole: true })
  for (const page of pages) {
    await indexes.add({
      language,
      title: page.title,
      route: page.route,
      href: page.href,
      groups: page.place,
      description: page.description ?? '',
      keywords: [],
      weight: 1,
      versions: [],
      updated: page.updated ?? null,
      versionTwins: [],
      languageTwins: [],
      sections: markdownSections((await markdown(page)) ?? ''),
    })
  }
  return indexes.finish().scripts[0]?.content ?? ''
}
