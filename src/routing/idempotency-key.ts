/** The Idempotency-Key header: identifies repeated requests, and returns their stored response. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/errors/errors.ts'
import { hashParts, sha256 } from '../base/hash.ts'
import type { Tx } from '../database/database.ts'
import {
  type IdempotentCall,
  type IdempotentOutcome,
  type StoredResponse,
  withIdempotency,
} from './idempotency.ts'
import { getQueryString, pathOf } from './request-parts.ts'

export function getIdempotencyKey(request: FastifyRequest): string | undefined {
  return request.headers['idempotency-key'] as string | undefined
}

/** `bytes` is the raw body, or undefined. The hash includes the query, because it is part of the request. */
export function idempotentCall(
  request: FastifyRequest,
  { callerId, key, bytes = '' }: { callerId: string; key: string; bytes: string | Uint8Array | undefined },
): IdempotentCall {
  const query = getQueryString(request)
  return {
    callerId,
    key,
    method: request.method,
    path: pathOf(request),
    bodyHash: query === '' ? sha256(bytes) : hashParts(query, bytes),
  }
}

export function inProgressError(): AppError {
  return new AppError('idempotency_in_progress', { headers: { 'Retry-After': '1' } })
}

/** Throws AppError `idempotency_*` when there is no response to return. */
export function requireResponse(
  outcome: IdempotentOutcome,
): Extract<IdempotentOutcome, { answer: StoredResponse }> {
  if (outcome.kind === 'busy') throw inProgressError()
  if (outcome.kind === 'mismatch') throw new AppError('idempotency_body_differs')
  return outcome
}

/** Runs `write` once per key, for responses that are stored unchanged. Throws AppError `idempotency_*`. */
export async function writeOnce<Result extends object>(
  tx: Tx,
  reply: FastifyReply,
  call: IdempotentCall,
  status: number,
  write: () => Promise<Result>,
): Promise<Result> {
  const run = async (): Promise<StoredResponse> => ({
    status,
    headers: {},
    body: JSON.stringify(await write()),
  })
  const { kind, answer } = requireResponse(await withIdempotency(tx, call, run))
  if (kind === 'replay') reply.header('Idempotent-Replayed', 'true')
  return JSON.parse(answer.body)
}
