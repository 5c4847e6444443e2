/**
 * Guessing is limited, and nobody is locked out by it: the place of an address at an account is taken first, so that one
 * address can use up little of what the account has from everywhere; and a browser that has signed in to the account
 * before has places of its own.
 */

import type { Limit } from '../../../base/api/limits.ts'
import { sha256 } from '../../../base/hash.ts'
import { networkOf } from '../../../base/net/address-network.ts'
import type { Queries } from '../../../database/database.ts'
import { type RateVerdict, takeFromWindow } from '../../../routing/rate-window.ts'

export interface SignInTry {
  /** Of the client. */
  address: string
  /** E-mail address; null when the try names no account. */
  account: string | null
  /** The browser, when it has signed in to the account before. */
  device: string | null
  /** A code has six digits: strangers have fewer tries at it than at a password. */
  what: 'password' | 'code'
}

/** So many times more for an account from everywhere, and for an address: offices share one. */
const WIDER = 10

/** Takes a place in each window for one attempt. Answers the first that was full, or the last. */
export async function takeSignInPlace(db: Queries, limit: Limit, tried: SignInTry): Promise<RateVerdict> {
  let verdict: RateVerdict | null = null
  for (const window of windowsOf(limit.count, tried)) {
    verdict = await takeFromWindow(db, { ...window, windowSeconds: limit.seconds })
    if (!verdict.accepted) break
  }
  return verdict as RateVerdict
}

function windowsOf(count: number, { address, account, device, what }: SignInTry) {
  const network = networkOf(address)
  const whole = { bucket: `signIns:address:${network}`, limit: count * WIDER }
  if (account === null) return [whole]
  const who = `${what}:${sha256(account.trim().toLowerCase())}`
  if (device !== null) return [{ bucket: `signIns:device:${who}:${device}`, limit: count }]
  const isCode = what === 'code'
  return [
    { bucket: `signIns:both:${who}:${network}`, limit: isCode ? Math.ceil(count / 2) : count },
    whole,
    { bucket: `signIns:account:${who}`, limit: isCode ? count : count * WIDER },
  ]
}
