/** What says of a reader who they are: by cookie, in a signed link, or as a bearer. Signed, so that no row is read for it. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface ReaderClaim {
  /** `pass`: by a password or a signed link; `member`: by the organization's sign-in. */
  kind: 'pass' | 'member'
  /** Of the pass, or of the person. */
  id: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface ReaderTokens {
  /** Counts at one project alone; `use` keeps tokens for different doors apart. */
  sign(projectId: string, claim: ReaderClaim, use?: string): string
  /** Null for what was not signed here for this project and use, and for what is past its time. */
  read(projectId: string, token: string, use?: string): ReaderClaim | null
}

/** Longer ones are none of ours. */
const MOST_CHARACTERS = 200

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
      if (token.length > MOST_CHARACTERS) return null
      const [kind, id = '', time = ''] = token.split('.')
      if (kind !== 'pass' && kind !== 'member') return null
      const claim = { kind, id, expiresAt: Number.parseInt(time, 36) } as const
      if (!(claim.expiresAt > now())) return null
      const [given, right] = [Buffer.from(token), Buffer.from(sign(projectId, claim, use))]
      return given.length === right.length && timingSafeEqual(given, right) ? claim : null
    },
  }
}
