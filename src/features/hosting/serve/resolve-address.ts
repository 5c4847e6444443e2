/**
 * What an address of a served site means: the one order of questions for hosted sites and the preview.
 * An address of nothing: serve-site.ts looks, and answers with the site's 404 page.
 */
import { encodePath } from '../../../render/html/encode-path.ts'
import type { Redirect } from '../../../site/model.ts'
import { redirectFor } from './redirects.ts'
import { canonicalPath, splitTarget } from './site-path.ts'

export interface AddressRules {
  /** Whether there is a page at a canonical path. */
  hasPage(path: string): boolean
  redirects: readonly Redirect[]
  /** Where `/` leads when no page is there; null when it leads nowhere. */
  start: string | null
}

export type Address =
  /** Cannot be decoded, or tries to climb. */
  | { kind: 'refused' }
  | { kind: 'moved'; location: string; isPermanent: boolean }
  /** A canonical path; whether anything is there is not known yet. */
  | { kind: 'path'; path: string }

/** A page wins over a redirect, as in links and bundles. What the request asks after `?` is kept. */
export function resolveAddress(rules: AddressRules, target: string): Address {
  const { path, query } = splitTarget(target)
  if (path === null) return { kind: 'refused' }
  const canonical = canonicalPath(path)
  const isPage = rules.hasPage(canonical)
  const redirect = isPage ? null : redirectFor(rules.redirects, path)
  if (redirect) return moved(redirect.destination, query, redirect.isPermanent)
  if (canonical !== path) return moved(`/${encodePath(canonical.slice(1))}`, query, true)
  // Not for good: a page at `/` may be written later, and another page may come first.
  if (path === '/' && !isPage && rules.start !== null) return moved(rules.start, query, false)
  return { kind: 'path', path }
}

function moved(destination: string, query: string, isPermanent: boolean): Address {
  const [address, fragment] = destination.split('#', 2)
  const location = `${address}${address?.includes('?') ? '' : query}${fragment ? `#${fragment}` : ''}`
  return { kind: 'moved', location, isPermanent }
}
