/** Reader API: server-side search of a published site. */

import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import { networkPrefix } from '../../base/net/address-network.ts'
import { createSenderWindows } from '../analytics/intake/sender-windows.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import type { SiteDocs } from '../mcp/site-docs.ts'
import { SearchTooLargeError } from '../mcp/site-search.ts'
import type { FoundPages } from './operations/search-pages.ts'
import { loadDocs, throwUnavailable } from './published-docs.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './readers.ts'

export interface SearchDeps {
  publishedDocs: PublishedDocs
}

/** Uses in-process windows, because a search writes nothing to the database. */
export function searchHandler({
  limits,
  publishedDocs,
}: ReaderRouteDeps & SearchDeps): ReaderHandlers['searchPages'] {
  const senders = createSenderWindows(limits.searches)
  const sites = createSenderWindows(limits.siteSearches)
  return {
    async handle({ site, query: { query, language, version = null }, address, reportWindow: tellWindow }) {
      tellWindow('searches', senders.consume(`${site.siteId} ${networkPrefix(address)}`, 1))
      const ofSite = sites.consume(site.siteId, 1)
      if (!ofSite.accepted) tellWindow('siteSearches', ofSite)
      const docs = await loadDocs(publishedDocs, site)
      return findPages(docs, query, languageOf(docs, language), version)
    },
  }
}

async function findPages(
  { search }: SiteDocs,
  query: string,
  language: string,
  version: string | null,
): Promise<FoundPages> {
  const found = await findInDocs({ search }, query, language, version)
  const results = found.map(({ page: { route, title, place, version }, passages }) => ({
    ...{ path: route, title, place, version, passages },
  }))
  return { language, results }
}

/** Throws AppError `site_unavailable`. */
export async function findInDocs(
  { search }: Pick<SiteDocs, 'search'>,
  query: string,
  language: string,
  version: string | null,
  most?: number,
) {
  return search.find(query, language, version, most).catch((error: unknown) => {
    if (!(error instanceof SearchTooLargeError)) return throwUnavailable(error)
    throw new AppError('site_unavailable', {
      params: { reason: 'index_too_large' },
      cause: error,
    })
  })
}

/** Throws AppError `invalid_request`. */
export function languageOf({ site: { languages } }: SiteDocs, asked: string | undefined): string {
  if (asked !== undefined && !languages.includes(asked))
    assertNoFaults([faultAt('language', 'language_of_site', { values: languages.slice(0, 50) })])
  return asked ?? languages[0] ?? 'en'
}
