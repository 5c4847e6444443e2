/** Guessing is limited: an account from one address, an account from everywhere, an address for all accounts. */
import { sha256 } from '../base/hash.ts'
import type { Limit } from '../contract/limits.ts'
import type { Queries } from '../database/database.ts'
import { type RateVerdict, takeFromWindow } from './rate-window.ts'

/** So many times more for an account from everywhere, and for an address: offices share one. */
const WIDER = 10

/** Takes a place in each window for one attempt. Answers the first that was full, or the narrowest. */
export async function takeSignInPlace(
  db: Queries,
  limit: Limit,
  { address, account }: { address: string; account: string | null },
): Promise<RateVerdict> {
  const who = account === null ? null : sha256(account.trim().toLowerCase())
  const windows = [
    { bucket: `signIns:address:${address}`, limit: limit.count * WIDER },
    ...(who === null
      ? []
      : [
          { bucket: `signIns:account:${who}`, limit: limit.count * WIDER },
          { bucket: `signIns:both:${who}:${address}`, limit: limit.count },
        ]),
  ]
  let verdict: RateVerdict | null = null
  for (const window of windows) {
    verdict = await takeFromWindow(db, { ...window, windowSeconds: limit.seconds })
    if (!verdict.accepted) break
  }
  return verdict as RateVerdict
}
