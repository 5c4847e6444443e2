/**
 * Signature of a request by the operator of a server. The key is stored in the data folder, readable only by
 * the user who runs the server. A signature is valid for one request, on one port, for a short time, and is
 * accepted once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export interface SignedRequest {
  method: string
  target: string
  port: number
}

const SCHEME = 'Octavo-Operator'
const PROOF_LIFETIME_MS = 30_000

export function signRequest(key: string, request: SignedRequest, now = Date.now()): string {
  const claim = `${now}.${randomBytes(12).toString('base64url')}`
  return `${SCHEME} ${claim}.${signatureOf(key, claim, request)}`
}

export function isSigned(authorization: string | undefined): boolean {
  return authorization?.startsWith(`${SCHEME} `) === true
}

/** Returns a function that checks a value of `Authorization`. Each value is accepted once. */
export function createProofCheck(
  key: string,
): (authorization: string, request: SignedRequest, now?: number) => boolean {
  /** Accepted signatures and when they expire. Only the holder of the key can add entries. */
  const accepted = new Map<string, number>()
  return (authorization, request, now = Date.now()) => {
    const [, claim = '', at = '', signature = ''] =
      /^Octavo-Operator ((\d{1,15})\.[\w-]{16})\.([\w-]{43})$/.exec(authorization) ?? []
    const expected = Buffer.from(signatureOf(key, claim, request))
    const given = Buffer.from(signature)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    for (const [known, end] of accepted) if (end < now) accepted.delete(known)
    if (Math.abs(now - Number(at)) > PROOF_LIFETIME_MS || accepted.has(claim)) return false
    accepted.set(claim, Number(at) + PROOF_LIFETIME_MS)
    return true
  }
}

function signatureOf(key: string, claim: string, { method, target, port }: SignedRequest): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([claim, method, target, port]))
    .digest('base64url')
}
