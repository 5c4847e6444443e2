/**
 * Reader tokens, sent as a cookie, in a signed link, or as a bearer token. The signature allows checking a
 * token without a database query.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface ReaderClaim {
  /** `pass` for a password or a signed link, `member` for the organization's sign-in. */
  kind: 'pass' | 'member'
  id: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface ReaderTokens {
  /** Signs a token that is valid for one project. `use` separates tokens for different purposes. */
  sign(projectId: string, claim: ReaderClaim, use?: string): string
  /** Returns null for a token that has expired or was not signed here for this project and use. */
  read(projectId: string, token: string, use?: string): ReaderClaim | null
}

/** Tokens signed by `sign` are always shorter. */
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
