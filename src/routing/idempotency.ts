/**
 * One effect per Idempotency-Key. The whole request runs in one transaction that also stores its response, which is
 * sent after the commit: a crash before the commit leaves nothing, a crash after it leaves the response.
 *
 *   another transaction uses this key       busy
 *   no response within 24 hours             first: runs, stores a 2xx response
 *   a response, to the same body            replay: that response, byte for byte
 *   a response, to another body             mismatch
 *
 * A failing request must reject, so that its transaction is rolled back. Its key is then free again.
 */
import { sql } from 'kysely'
import { hashParts } from '../base/hash.ts'
import type { Tx } from '../database/database.ts'

export interface IdempotentCall {
  callerId: string
  key: string
  method: string
  path: string
  /** SHA-256 of the body's bytes, and of the query if there is one. */
  bodyHash: string
}

export interface StoredResponse {
  status: number
  headers: Record<string, string>
  body: string
}

export type IdempotentOutcome =
  | { kind: 'first'; answer: StoredResponse }
  | { kind: 'replay'; answer: StoredResponse }
  | { kind: 'busy' }
  | { kind: 'mismatch' }

export const IDEMPOTENCY_HOURS = 24

export async function withIdempotency(
  tx: Tx,
  call: IdempotentCall,
  run: () => Promise<StoredResponse>,
): Promise<IdempotentOutcome> {
  const { callerId, key, method, path, bodyHash } = call
  const lock = `idempotency:${hashParts(callerId, method, path, key)}`
  // Does not wait: a thousand calls with one key must not hold a thousand connections.
  const locked = await sql<{ is_mine: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) AS is_mine`.execute(tx)
  if (!locked.rows[0]?.is_mine) return { kind: 'busy' }

  // A separate statement after the lock, so that it reads the data committed by the previous holder of the
  // lock.
  const stored = await tx
    .selectFrom('idempotent_answers')
    .select(['body_hash', 'status', 'headers', 'body'])
    .where('caller_id', '=', callerId)
    .where('method', '=', method)
    .where('path', '=', path)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`)
    .executeTakeFirst()
  if (stored !== undefined) {
    if (stored.body_hash !== bodyHash) return { kind: 'mismatch' }
    return { kind: 'replay', answer: { status: stored.status, headers: stored.headers, body: stored.body } }
  }

  const answer = await run()
  if (answer.status >= 200 && answer.status < 300) await store(tx, call, answer)
  return { kind: 'first', answer }
}

async function store(tx: Tx, call: IdempotentCall, answer: StoredResponse): Promise<void> {
  const values = {
    body_hash: call.bodyHash,
    status: answer.status,
    headers: JSON.stringify(answer.headers),
    body: answer.body,
  }
  await tx
    .insertInto('idempotent_answers')
    .values({
      caller_id: call.callerId,
      method: call.method,
      path: call.path,
      key: call.key,
      ...values,
    })
    // If the key already exists here, its response has expired and can be replaced.
    .onConflict((conflict) =>
      conflict
        .columns(['caller_id', 'method', 'path', 'key'])
        .doUpdateSet({ ...values, created_at: sql<Date>`now()` }),
    )
    .execute()
}
