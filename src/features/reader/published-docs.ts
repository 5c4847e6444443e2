/** Loads the pages of a site for programs, or rejects with the reason why they are unavailable. */
import { AppError } from '../../base/errors/errors.ts'
import { ObjectMissingError } from '../../objects/object-store.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import type { SiteDocs } from '../mcp/site-docs.ts'

export async function loadDocs(docs: PublishedDocs, { manifestKey }: ReaderSite): Promise<SiteDocs> {
  if (manifestKey === null) throw new AppError('site_unavailable', { params: { reason: 'unpublished' } })
  const found = await docs.of(manifestKey).catch(throwUnavailable)
  if (found === null)
    throw new AppError('site_unavailable', {
      params: { reason: 'outdated' },
    })
  return found
}

/** Throws AppError `site_unavailable` if files of the version were deleted during the request, else the error. */
export function throwUnavailable(error: unknown): never {
  if (!(error instanceof ObjectMissingError)) throw error
  throw new AppError('site_unavailable', { headers: { 'Retry-After': '5' }, cause: error })
}
