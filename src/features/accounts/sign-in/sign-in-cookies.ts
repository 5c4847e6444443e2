/**
 * Names of the dashboard's cookies. Over https they have the prefix `__Host-`: a browser accepts such a cookie only
 * from this very host, over https and for all paths, so that a site on a sibling host cannot plant one. Plain http,
 * which is for the local machine only, does not support the prefix.
 */

import { decodeOrNull } from '../../../base/text/decode-path.ts'

const PREFIX = 'octavo'

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${PREFIX}` : PREFIX
}

export function cookieName(publicUrl: string, name: string): string {
  return `${cookiePrefix(publicUrl)}.${name}`
}

/**
 * Returns the decoded value from a `Cookie` header; null when it is missing. The first of two cookies with
 * the same name counts.
 */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals === -1 || part.slice(0, equals).trim() !== name) continue
    return decodeOrNull(part.slice(equals + 1).trim())
  }
  return null
}
