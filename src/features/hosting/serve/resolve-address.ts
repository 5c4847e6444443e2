/**
 * Resolves the path of a request in the same order for hosted sites and the preview. serve-site.ts checks
 * whether a file exists at the path, and otherwise responds with the site's 404 page.
 */
import { encodePath } from '../../../render/html/encode-path.ts'
import type { Redirect } from '../../../site/model.ts'
import { redirectFor } from './redirects.ts'
import { canonicalPath, splitTarget } from './site-path.ts'

export interface AddressRules {
  hasPage(path: string): boolean
  redirects: readonly Redirect[]
  /** Destination of `/` if the site has no page at `/`; null if there is no destination. */
  start: string | null
}

export type Address =
  /** The path cannot be decoded or contains `..`. */
  | { kind: 'refused' }
  | { kind: 'moved'; location: string; isPermanent: boolean }
  /** A canonical path that has not been checked for a file. */
  | { kind: 'path'; path: string }

/** A page takes precedence over a redirect, as in links and bundles. Preserves the query. */
export function resolveAddress(rules: AddressRules, target: string): Address {
  const { path, query } = splitTarget(target)
  if (path === null) return { kind: 'refused' }
  const canonical = canonicalPath(path)
  const isPage = rules.hasPage(canonical)
  const redirect = isPage ? null : redirectFor(rules.redirects, path)
  if (redirect) return moved(redirect.destination, query, redirect.isPermanent)
  if (canonical !== path) return moved(`/${encodePath(canonical.slice(1))}`, query, true)
  // Temporary, because a page at `/` may be added and another page may become the first.
  if (path === '/' && !isPage && rules.start !== null) return moved(rules.start, query, false)
  return { kind: 'path', path }
}

function moved(destination: string, query: string, isPermanent: boolean): Address {
  const [address, fragment] = destination.split('#', 2)
  const location = `${address}${address?.includes('?') ? '' : query}${fragment ? `#${fragment}` : ''}`
  return { kind: 'moved', location, isPermanent }
}
