/** `Cache-Control` of published files, and which caches may store a response of a private site. */
import type { Reader, SiteAccess } from '../access/site-access.ts'
import type { SiteResponse } from './site-request.ts'

const IMMUTABLE_CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Files with a hashed name never change; all other files are revalidated on each request. */
export function cacheControl(hasHashedName: boolean): string {
  return hasHashedName ? IMMUTABLE_CACHE_CONTROL : 'no-cache'
}

export type CacheScope = 'public' | 'private'

export function cacheScope({ access }: { access: SiteAccess }, reader: Reader): CacheScope {
  return access.isPrivate || reader.isKnown ? 'private' : 'public'
}

/** In the private scope, shared caches, search engines and other origins get no access to the response. */
export function applyCacheScope(answer: SiteResponse, scope: CacheScope): SiteResponse {
  if (scope === 'public') return answer
  const {
    'cache-control': given = 'no-store',
    'access-control-allow-origin': _allowed,
    'cross-origin-resource-policy': _embedded,
    ...headers
  } = answer.headers
  return {
    ...answer,
    headers: {
      ...headers,
      'cache-control': given === 'no-store' ? given : `private, ${given.replace('public, ', '')}`,
      vary: `${headers.vary ?? 'accept-encoding'}, cookie, authorization`,
      'x-robots-tag': 'noindex',
    },
  }
}
