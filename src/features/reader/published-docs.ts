/** Pages of a site for programs, or a refusal with the reason. */
import { AppError } from '../../base/errors/errors.ts'
import { ObjectMissingError } from '../../objects/object-store.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import type { SiteDocs } from '../mcp/site-docs.ts'

/** Opens the version that the reader is authorized for. Throws AppError `site_unavailable`. */
export async function loadDocs(docs: PublishedDocs, { manifestKey }: ReaderSite): Promise<SiteDocs> {
  if (manifestKey === null)
    throw new AppError('site_unavailable', { sentence: 'This site has not been published yet.' })
  const found = await docs.of(manifestKey).catch(throwUnavailable)
  if (found === null)
    throw new AppError('site_unavailable', {
      sentence: 'This site was published before programs could search and read it. Publish it again.',
    })
  return found
}

/** Handles a version whose files were deleted while it was read. */
export function throwUnavailable(error: unknown): never {
  if (!(error instanceof ObjectMissingError)) throw error
  throw new AppError('site_unavailable', { headers: { 'Retry-After': '5' }, cause: error })
}
