/** The header Idempotency-Key: what a request must be to be the same one again, and answers that are given once. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { sha256, sha256Of } from '../base/hash.ts'
import type { Tx } from '../database/database.ts'
import {
  type IdempotentCall,
  type IdempotentOutcome,
  type StoredAnswer,
  withIdempotency,
} from './idempotency.ts'
import { pathOf, queryStringOf } from './request-parts.ts'

/** Undefined when the header is not there. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  return request.headers['idempotency-key'] as string | undefined
}

/** `bytes` are the body as it came, or undefined. What a query asks for belongs to the request as a body does. */
export function idempotentCall(
  request: FastifyRequest,
  { callerId, key, bytes = '' }: { callerId: string; key: string; bytes: string | Uint8Array | undefined },
): IdempotentCall {
  const query = queryStringOf(request)
  return {
    callerId,
    key,
    method: request.method,
    path: pathOf(request),
    bodyHash: query === '' ? sha256(bytes) : sha256Of(query, bytes),
  }
}

export function stillAtWork(): AppError {
  return new AppError('idempotency_in_progress', { headers: { 'Retry-After': '1' } })
}

/** Throws AppError `idempotency_*` where there is no answer to give. */
export function answered(outcome: IdempotentOutcome): Extract<IdempotentOutcome, { answer: StoredAnswer }> {
  if (outcome.kind === 'busy') throw stillAtWork()
  if (outcome.kind === 'mismatch') throw new AppError('idempotency_body_differs')
  return outcome
}

/** For answers that are kept as they are: `write` runs once for each key. Throws AppError `idempotency_*`. */
export async function writeOnce<Result extends object>(
  tx: Tx,
  reply: FastifyReply,
  call: IdempotentCall,
  status: number,
  write: () => Promise<Result>,
): Promise<Result> {
  const run = async (): Promise<StoredAnswer> => ({
    status,
    headers: {},
    body: JSON.stringify(await write()),
  })
  const { kind, answer } = answered(await withIdempotency(tx, call, run))
  if (kind === 'replay') reply.header('Idempotent-Replayed', 'true')
  return JSON.parse(answer.body)
}
