/** What a reader gets who may read, while there is nothing to be read. */
import type { HostedSite } from './site-access.ts'
import type { SiteAnswer } from './site-request.ts'

export function notPublished({ isPreview }: HostedSite): SiteAnswer {
  return unavailable(
    isPreview ? 'This preview is not ready yet.\n' : 'This site has not been published yet.\n',
  )
}

export function unavailable(body: string): SiteAnswer {
  return {
    status: 503,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' },
    body,
  }
}
