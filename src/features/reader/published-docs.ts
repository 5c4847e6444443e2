/** The pages of a site as programs find and read them, or the refusal that says why not. */
import { AppError } from '../../base/errors/errors.ts'
import { ObjectMissingError } from '../../objects/object-store.ts'
import type { ReaderSite } from '../hosting/serve/reader-sites.ts'
import type { PublishedDocs } from '../mcp/published-docs.ts'
import type { SiteDocs } from '../mcp/site-docs.ts'

/** Of the version that the reader may read. Throws AppError `site_unavailable`. */
export async function docsOf(docs: PublishedDocs, { manifestKey }: ReaderSite): Promise<SiteDocs> {
  if (manifestKey === null)
    throw new AppError('site_unavailable', { sentence: 'This site has not been published yet.' })
  const found = await docs.of(manifestKey).catch(orUnavailable)
  if (found === null)
    throw new AppError('site_unavailable', {
      sentence: 'This site was published before programs could search and read it. Publish it again.',
    })
  return found
}

/** For a version whose files went while it was read. */
export function orUnavailable(error: unknown): never {
  if (!(error instanceof ObjectMissingError)) throw error
  throw new AppError('site_unavailable', { headers: { 'Retry-After': '5' }, cause: error })
}
