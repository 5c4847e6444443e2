/** Where a limit stands, in headers: the IETF structured fields and the older names that clients know. */
import type { FastifyReply } from 'fastify'
import type { RateVerdict } from '../accounts/rate-window.ts'
import { AppError } from '../contract/errors.ts'
import type { LimitName } from '../contract/limits.ts'

/** A window of the named limit, as it stood when this request was looked at. */
export interface RateState extends RateVerdict {
  name: LimitName
  /** Length of the window. */
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

export function setRateHeaders(reply: FastifyReply, state: RateState): void {
  reply.headers(rateHeaders(state))
}

export function limitReached(state: RateState): AppError {
  return new AppError('limit.reached', {
    headers: { ...rateHeaders(state), 'Retry-After': String(state.retryAfterSeconds) },
  })
}
