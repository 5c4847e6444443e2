/** Determines from a site's access settings which caches may store a response. */
import type { Reader, SiteAccess } from '../access/site-access.ts'
import type { SiteAnswer } from './site-request.ts'

export type CacheScope = 'public' | 'private'

export function cacheScope({ access }: { access: SiteAccess }, reader: Reader): CacheScope {
  return access.isPrivate || reader.isKnown ? 'private' : 'public'
}

/**
 * In the private scope, no shared cache stores the response, no search engine lists it, and no page of another origin
 * can read it.
 */
export function applyCacheScope(answer: SiteAnswer, scope: CacheScope): SiteAnswer {
  if (scope === 'public') return answer
  const {
    'cache-control': cacheControl = 'no-store',
    'access-control-allow-origin': _allowed,
    'cross-origin-resource-policy': _embedded,
    ...headers
  } = answer.headers
  return {
    ...answer,
    headers: {
      ...headers,
      'cache-control':
        cacheControl === 'no-store' ? cacheControl : `private, ${cacheControl.replace('public, ', '')}`,
      vary: `${headers.vary ?? 'accept-encoding'}, cookie, authorization`,
      'x-robots-tag': 'noindex',
    },
  }
}
