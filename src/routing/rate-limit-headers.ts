/**
 * Headers for the state of a rate limit: the structured fields of the IETF, and the older, widely known
 * headers.
 */

import { AppError } from '../base/errors/errors.ts'
import type { RateVerdict } from './rate-window.ts'

export interface RateState extends RateVerdict {
  name: string
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
