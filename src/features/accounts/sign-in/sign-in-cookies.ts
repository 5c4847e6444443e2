/**
 * Names of the cookies of the dashboard. Over https they are `__Host-` ones: a browser takes such a cookie only from this
 * very host, over https, for the whole of it, so that a site on a sibling name cannot plant one. Over plain http, on the
 * machine itself, no cookie can have that.
 */
const PREFIX = 'octavo'

export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** What all names begin with, up to the dot. */
export function cookiePrefix(publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${PREFIX}` : PREFIX
}

export function cookieName(publicUrl: string, name: string): string {
  return `${cookiePrefix(publicUrl)}.${name}`
}

/** The value in a `Cookie` header, decoded; null when it is not there. Of two with one name the first. */
export function readCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals === -1 || part.slice(0, equals).trim() !== name) continue
    return decoded(part.slice(equals + 1).trim())
  }
  return null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
