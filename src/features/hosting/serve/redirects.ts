/** Redirects of a published site, made safe to be sent: part of a destination is a reader's text. */
import type { Redirect } from '../../../site/model.ts'
import { findRedirect } from '../../../site/navigation/redirects.ts'

/** Null when no rule applies to the decoded path, or when one leads to where the reader already is. */
export function redirectFor(
  rules: readonly Redirect[],
  path: string,
): { destination: string; isPermanent: boolean } | null {
  const found = findRedirect(rules, path)
  if (found === null || found.destination === path) return null
  // Two slashes at the start would name another host.
  const destination = encodeText(found.destination).replace(/^\/[/\\]+/, '/')
  return { destination, isPermanent: found.isPermanent }
}

/** Only what may not stand in a header: what an author has encoded stays as it is. */
function encodeText(destination: string): string {
  return destination.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}
