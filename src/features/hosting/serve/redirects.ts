/** Redirects of a published site, made safe to send because a destination may include text from the request. */
import type { Redirect } from '../../../site/model.ts'
import { findRedirect } from '../../../site/navigation/redirects.ts'

/** Returns null when no rule applies to the decoded path, or when the rule leads back to it. */
export function redirectFor(
  rules: readonly Redirect[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const found = findRedirect(rules, path)
  if (found === null || found.destination === path) return null
  // Two leading slashes would denote another host.
  const destination = encodeText(found.destination).replace(/^\/[/\\]+/, '/')
  return { destination, isPermanent: found.isPermanent }
}

/** Encodes only characters that are not allowed in a header. Encodings written by the author stay as they are. */
function encodeText(destination: string): string {
  return destination.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}
