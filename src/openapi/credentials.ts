/** Credentials that a reader has entered. */
import type { SentCredential } from './build-request.ts'
import type { PlaygroundScheme } from './playground-data.ts'

/** Credentials of one scheme. Empty values are not sent. */
export interface TypedCredential {
  token?: string
  username?: string
  password?: string
  clientId?: string
  clientSecret?: string
  scopes?: string
}

/**
 * Returns the credential for the request as `sent` (null if nothing was entered), and the credential for samples as
 * `shown` (may be a placeholder).
 */
export function resolveCredential(
  scheme: PlaygroundScheme,
  typed: TypedCredential,
): { sent: SentCredential | null; shown: SentCredential | null } {
  const token = typed.token ?? ''
  const header = (value: string): SentCredential => ({ place: 'header', name: 'Authorization', value })
  switch (scheme.kind) {
    case 'key': {
      const { place, parameter: name } = scheme
      const own = token === '' ? null : { place, name, value: token }
      return { sent: own, shown: own ?? { place, name, value: '<api-key>' } }
    }
    case 'basic': {
      const { username = '', password = '' } = typed
      const own =
        username === '' && password === '' ? null : header(`Basic ${base64(`${username}:${password}`)}`)
      return { sent: own, shown: own ?? header('Basic <credentials>') }
    }
    case 'other': {
      const lead = scheme.scheme === '' ? '' : `${scheme.scheme} `
      const own = token === '' ? null : header(`${lead}${token}`)
      return { sent: own, shown: scheme.scheme === '' ? own : (own ?? header(`${lead}<credentials>`)) }
    }
    default: {
      const own = token === '' ? null : header(`Bearer ${token.replace(/^Bearer\s+/i, '')}`)
      return { sent: own, shown: own ?? header('Bearer <token>') }
    }
  }
}

export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
