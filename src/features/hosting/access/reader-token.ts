/**
 * Reader tokens, sent as a cookie, in a signed link, or as a bearer token. They are signed, so that checking one
 * needs no database query.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface ReaderClaim {
  /** `pass`: through a password or a signed link; `member`: through the organization's sign-in. */
  kind: 'pass' | 'member'
  /** Id of the pass or the person. */
  id: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface ReaderTokens {
  /** Signs a token that is valid for one project. `use` separates tokens for different purposes. */
  sign(projectId: string, claim: ReaderClaim, use?: string): string
  /** Returns null for a token that was not signed here for this project and use, or has expired. */
  read(projectId: string, token: string, use?: string): ReaderClaim | null
}

/** Longer tokens cannot be ours. */
const MAX_TOKEN_CHARACTERS = 200

export function createReaderTokens(secret: string, now: () => number = Date.now): ReaderTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'octavo reader tokens', 32))
  const sign: ReaderTokens['sign'] = (projectId, { kind, id, expiresAt }, use = '') => {
    const claim = `${kind}.${id}.${expiresAt.toString(36)}`
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([projectId, use, claim]))
      .digest('base64url')
    return `${claim}.${mac}`
  }
  return {
    sign,
    read(projectId, token, use) {
      if (token.length > MAX_TOKEN_CHARACTERS) return null
      const [kind, id = '', time = ''] = token.split('.')
      if (kind !== 'pass' && kind !== 'member') return null
      const claim = { kind, id, expiresAt: Number.parseInt(time, 36) } as const
      if (!(claim.expiresAt > now())) return null
      const [given, right] = [Buffer.from(token), Buffer.from(sign(projectId, claim, use))]
      return given.length === right.length && timingSafeEqual(given, right) ? claim : null
    },
  }
}
