/**
 * A key that was seen before and its place in a window, in one round trip. What the key may do is judged by what was seen
 * of it, and the statement takes the place only if it finds the key valid and the same: else nothing was taken, and the
 * key is looked up by itself.
 */
import { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import { isDiskFull } from '../base/disk-full.ts'
import { JoinedCalls } from '../base/joined-calls.ts'
import type { Queries } from '../database/database.ts'
import { prepared } from '../database/prepared-texts.ts'
import {
  type Caller,
  type Credentials,
  judgeKey,
  type KeyRow,
  keyHashOf,
  keyText,
  keyValues,
  recordUse,
  seenKey,
} from './authenticate.ts'
import { type RateVerdict, type RateWindow, type TakenRow, verdictsOf } from './rate-window.ts'

export interface AdmittedKey {
  caller: Caller
  verdict: RateVerdict
}

/** The part of a window's places that is left, as this process saw it last, by bucket. */
const roomLeft = new LRUCache<string, number>({ max: 10_000 })
/** A window with less of it may soon be full, and what is refused is not to be worked for. */
const MUCH_ROOM = 1 / 4

/**
 * Null: who calls is to be asked first, and the window after it. `begin` is told who will most likely be admitted, while
 * that is asked: nothing of what it begins may leave before.
 */
export async function admitSeenKey(
  db: Queries,
  credentials: Credentials,
  windowOf: (caller: Caller) => RateWindow,
  begin: (caller: Caller) => void,
): Promise<AdmittedKey | null> {
  const hash = keyHashOf(credentials.authorization)
  const key = hash === null ? undefined : seenKey(hash)
  if (hash === null || key === undefined) return null
  const judged = judgeKey(key, credentials)
  if (judged.kind !== 'ok') return null
  const window = windowOf(judged.caller)
  const asked = takeTogether(db, { hash, key }, window)
  if ((roomLeft.get(window.bucket) ?? 0) > MUCH_ROOM) begin(judged.caller)
  const verdict = await asked.catch((error: unknown) => {
    if (isDiskFull(error)) return null
    throw error
  })
  if (verdict === null) return null
  roomLeft.set(window.bucket, verdict.remaining / verdict.limit)
  return { caller: judged.caller, verdict }
}

interface SeenRow extends TakenRow {
  is_same: boolean
  use_is_old: boolean
}

const lines = new WeakMap<Queries, JoinedCalls<RateVerdict | null>>()

function takeTogether(
  db: Queries,
  { hash, key }: { hash: Buffer; key: KeyRow },
  window: RateWindow,
): Promise<RateVerdict | null> {
  const line = lines.get(db) ?? new JoinedCalls<RateVerdict | null>()
  lines.set(db, line)
  const { bucket, limit, windowSeconds } = window
  const name = `${key.id} ${key.facts} ${bucket} ${limit} ${windowSeconds}`
  return line.join(name, async (callers) => {
    const values = [...keyValues(hash), key.facts, bucket, limit, windowSeconds, callers]
    const { rows } = await db.executeQuery<SeenRow>(CompiledQuery.raw(prepared(seenText(db)), values))
    const [row] = rows
    if (!row?.is_same) return Array.from({ length: callers }, () => null)
    if (row.use_is_old) recordUse(db, key.id)
    return verdictsOf(row, callers, window)
  })
}

/** A key that is not the same wants no place: the function is called in any case. */
function seenText(db: Queries): string {
  text ??= `WITH key AS MATERIALIZED (${keyText(db)})
    SELECT key.is_valid AND key.facts = $3 AS is_same, key.use_is_old,
      taken.accepted, taken.used, taken.free_after_seconds
    FROM key CROSS JOIN LATERAL take_places_from_window(
      $4, $5, $6, CASE WHEN key.is_valid AND key.facts = $3 THEN $7::integer ELSE 0 END) AS taken`
  return text
}

let text: string | null = null
