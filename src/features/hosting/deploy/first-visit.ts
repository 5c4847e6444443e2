/** Where a reader who comes to `/` of a site of several languages is led, and what the answer there depends on. */
import { wantsMarkdown } from '../../../base/net/wants-markdown.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { preferredLanguage } from '../access/preferred-language.ts'
import { splitTarget } from '../serve/site-path.ts'
import type { SiteAnswer, SiteRequest } from '../serve/site-request.ts'

const VARIED_BY = 'accept-language, cookie, referer, sec-fetch-site'

/** The answer goes by the language that is asked for: it is not the same for all readers, so it is not kept. */
export function isFirstVisit({ languages }: SiteManifest, { target, accept }: SiteRequest): boolean {
  return languages !== undefined && /^\/(?:\?|$)/.test(target) && !wantsMarkdown(accept)
}

/** Null for who stays. */
export function firstVisit(
  manifest: SiteManifest,
  request: SiteRequest,
): { location: string; isPermanent: false } | null {
  if (!isFirstVisit(manifest, request)) return null
  const language = preferredLanguage(request.acceptLanguage ?? '', manifest.languages ?? [])
  if (language === null) return null
  return { location: language.home + splitTarget(request.target).query, isPermanent: false }
}

export function variedByVisit(manifest: SiteManifest, request: SiteRequest, answer: SiteAnswer): SiteAnswer {
  if (!isFirstVisit(manifest, request)) return answer
  const vary = [answer.headers.vary, VARIED_BY].filter(Boolean).join(', ')
  return { ...answer, headers: { ...answer.headers, vary } }
}
