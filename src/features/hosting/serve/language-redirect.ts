/**
 * Redirects first-time readers of `/` on a multilingual site to their language, with the matching `Vary`
 * header.
 */
import { wantsMarkdown } from '../../../base/net/prefers-markdown.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { preferredLanguage } from '../access/preferred-language.ts'
import { splitTarget } from './site-path.ts'
import type { SiteRequest, SiteResponse } from './site-request.ts'

const VARY_HEADERS = 'accept-language, cookie, referer, sec-fetch-site'

/** Returns true if the response depends on the reader's language and therefore must not be cached. */
export function isFirstVisit({ languages }: SiteManifest, { target, accept }: SiteRequest): boolean {
  return languages !== undefined && /^\/(?:\?|$)/.test(target) && !wantsMarkdown(accept)
}

export function firstVisitRedirect(
  manifest: SiteManifest,
  request: SiteRequest,
): { location: string; isPermanent: false } | null {
  if (!isFirstVisit(manifest, request)) return null
  const language = preferredLanguage(request.acceptLanguage ?? '', manifest.languages ?? [])
  if (language === null) return null
  return { location: language.home + splitTarget(request.target).query, isPermanent: false }
}

export function varyByVisit(
  manifest: SiteManifest,
  request: SiteRequest,
  answer: SiteResponse,
): SiteResponse {
  if (!isFirstVisit(manifest, request)) return answer
  const vary = [answer.headers.vary, VARY_HEADERS].filter(Boolean).join(', ')
  return { ...answer, headers: { ...answer.headers, vary } }
}
