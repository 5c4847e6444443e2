/**
 * Limits guessing without locking accounts. The limit for one address and one account together is checked first, so
 * that a single address uses up little of the account's overall limit. A browser that has signed in to the account
 * before has a separate limit.
 */

import type { Limit } from '../../../base/api/limits.ts'
import { sha256 } from '../../../base/hash.ts'
import { networkPrefix } from '../../../base/net/address-network.ts'
import type { Queries } from '../../../database/database.ts'
import { consumeSlot, type RateVerdict } from '../../../routing/rate-window.ts'

export interface SignInAttempt {
  address: string
  /** Email address; null when the attempt names no account. */
  account: string | null
  /** Id of a browser that has signed in to the account before; else null. */
  device: string | null
  /** A code has six digits, so fewer attempts are allowed for it than for a password. */
  what: 'password' | 'code'
}

/** Factor by which overall limits per account and per address are higher, because whole offices share an address. */
const OVERALL_FACTOR = 10

/** Takes one attempt from each window. Returns the verdict of the first full window, or of the last one. */
export async function consumeSignInAttempt(
  db: Queries,
  limit: Limit,
  attempt: SignInAttempt,
): Promise<RateVerdict> {
  let verdict: RateVerdict | null = null
  for (const window of buildWindows(limit.count, attempt)) {
    verdict = await consumeSlot(db, { ...window, windowSeconds: limit.seconds })
    if (!verdict.accepted) break
  }
  return verdict as RateVerdict
}

function buildWindows(count: number, { address, account, device, what }: SignInAttempt) {
  const network = networkPrefix(address)
  const overall = { bucket: `signIns:address:${network}`, limit: count * OVERALL_FACTOR }
  if (account === null) return [overall]
  const accountKey = `${what}:${sha256(account.trim().toLowerCase())}`
  if (device !== null) return [{ bucket: `signIns:device:${accountKey}:${device}`, limit: count }]
  const isCode = what === 'code'
  return [
    { bucket: `signIns:both:${accountKey}:${network}`, limit: isCode ? Math.ceil(count / 2) : count },
    overall,
    { bucket: `signIns:account:${accountKey}`, limit: isCode ? count : count * OVERALL_FACTOR },
  ]
}
