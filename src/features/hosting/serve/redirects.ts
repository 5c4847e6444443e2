/** Redirects of a published site, sanitized because a destination may include text from the request. */
import type { Redirect } from '../../../site/model.ts'
import { findRedirect } from '../../../site/navigation/redirects.ts'

/** Returns null if no rule matches the decoded path or the rule redirects to the same path. */
export function redirectFor(
  rules: readonly Redirect[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const found = findRedirect(rules, path)
  if (found === null || found.destination === path) return null
  // Two leading slashes would lead to another host.
  const destination = encodeRedirectTarget(found.destination).replace(/^\/[/\\]+/, '/')
  return { destination, isPermanent: found.isPermanent }
}

/** Encodes only characters that are not allowed in a header. Keeps encodings written by the author. */
function encodeRedirectTarget(destination: string): string {
  return destination.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}
