/**
 * Headers for the state of a rate limit, under the names of the IETF structured fields and the older, widely known
 * ones.
 */

import type { LimitName } from '../base/api/limits.ts'
import { AppError } from '../base/errors/errors.ts'
import type { RateVerdict } from './rate-window.ts'

/** State of a named limit's window at the time of the check. */
export interface RateState extends RateVerdict {
  name: LimitName
  /** Length of the window in seconds. */
  seconds: number
}

export function rateHeaders({
  name,
  seconds,
  limit,
  remaining,
  resetSeconds,
}: RateState): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${limit};w=${seconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetSeconds),
  }
}

export function limitReached(state: RateState): AppError {
  return new AppError('rate_limited', {
    headers: { ...rateHeaders(state), 'Retry-After': String(state.retryAfterSeconds) },
  })
}
