/**
 * Proof of work that a site requires during a flood: several hundred milliseconds of computing per entry. The server
 * stores no state: a challenge contains its terms and the client's id of the entry, and is signed. It is therefore
 * valid for that entry only, but the entry can be sent repeatedly.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16
const CHALLENGE_LIFETIME_MS = 120_000

/** A browser finds a hash with this many leading zero bits in 0.1 to 0.2 s; each further bit doubles the time. */
export const MIN_PROOF_BITS = 16
export const MAX_PROOF_BITS = 22

interface ChallengeTerms {
  siteId: string
  clientId: string
  bits: number
  /** Milliseconds. */
  expires: number
}

export function createChallenge(secret: string, terms: Omit<ChallengeTerms, 'expires'>, now: number): string {
  const { siteId, clientId, bits } = terms
  const body = Buffer.from(JSON.stringify([siteId, clientId, bits, now + CHALLENGE_LIFETIME_MS]))
  return Buffer.concat([computeTag(secret, body), body]).toString('base64url')
}

export interface Proof {
  challenge: string
  nonce: string
}

/** Returns true if the proof is correct, not expired, and made for this entry of this site. */
export function isProofValid(
  secret: string,
  proof: Proof,
  entry: { siteId: string; clientId: string },
  now: number,
): boolean {
  const terms = readChallenge(secret, proof.challenge)
  if (terms === null || terms.expires < now) return false
  if (terms.siteId !== entry.siteId || terms.clientId !== entry.clientId) return false
  return (
    leadingZeroBits(createHash('sha256').update(`${proof.challenge}:${proof.nonce}`).digest()) >= terms.bits
  )
}

function readChallenge(secret: string, challenge: string): ChallengeTerms | null {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== challenge) return null
  const body = bytes.subarray(TAG_BYTES)
  if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), computeTag(secret, body))) return null
  const [siteId, clientId, bits, expires] = JSON.parse(body.toString('utf8')) as [
    string,
    string,
    number,
    number,
  ]
  return { siteId, clientId, bits, expires }
}

function computeTag(secret: string, body: Buffer): Buffer {
  return createHmac('sha256', secret)
    .update('feedback challenge\n')
    .update(body)
    .digest()
    .subarray(0, TAG_BYTES)
}

export function leadingZeroBits(digest: Uint8Array): number {
  let bits = 0
  for (const byte of digest) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}
