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
  keyOfColumn,
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
  /** Of the question, from 1. */
  place: number
  is_same: boolean
  use_is_old: boolean
  /** False: another connection takes places from the window just now, and nothing was taken. */
  is_free: boolean
}

/** A key and the window that it is to take a place in; several callers may ask for the same, by one name. */
interface Question {
  name: string
  hash: Buffer
  key: KeyRow
  window: RateWindow
}

type SeenAnswer = RateVerdict | 'changed' | 'taken by others'

const lines = new WeakMap<Queries, JoinedCalls<SeenAnswer, Question>>()

/**
 * Whoever waits shares the statement and its commit, also with callers of other keys. Where another connection has the
 * window, callers of the key wait for it by themselves. Null: the key has changed.
 */
async function takeTogether(
  db: Queries,
  { hash, key }: { hash: Buffer; key: KeyRow },
  window: RateWindow,
): Promise<RateVerdict | null> {
  const line = lines.get(db) ?? new JoinedCalls<SeenAnswer, Question>()
  lines.set(db, line)
  const { bucket, limit, windowSeconds } = window
  const name = `${key.id} ${key.facts} ${bucket} ${limit} ${windowSeconds}`
  const question = { name, hash, key, window }
  const together = await line.join('all', question, (all) => answerAll(db, all, { waits: false }))
  if (together === 'changed') return null
  if (together !== 'taken by others') return together
  const alone = await line.join(name, question, (all) => answerAll(db, all, { waits: true }))
  return alone === 'changed' || alone === 'taken by others' ? null : alone
}

async function answerAll(
  db: Queries,
  questions: readonly Question[],
  how: { waits: boolean },
): Promise<readonly SeenAnswer[]> {
  const indices = Map.groupBy(questions.keys(), (index) => questions[index]?.name)
  const different = [...indices.values()].map((of) => ({ ...(questions[of[0] as number] as Question), of }))
  const answers = Array<SeenAnswer>(questions.length).fill('changed')
  for (const row of await askForAll(db, different, how)) {
    const { key, window, of } = different[row.place - 1] as (typeof different)[number]
    if (!row.is_same) continue
    if (row.use_is_old) recordUse(db, key.id)
    const verdicts = row.is_free ? verdictsOf(row, of.length, window) : []
    for (const [place, index] of of.entries()) answers[index] = verdicts[place] ?? 'taken by others'
  }
  return answers
}

async function askForAll(
  db: Queries,
  questions: readonly (Question & { of: readonly number[] })[],
  { waits }: { waits: boolean },
): Promise<readonly SeenRow[]> {
  const { text, values } = seenStatement(db)
  const columns = [
    questions.map(({ hash }) => hash),
    questions.map(({ key }) => key.facts),
    questions.map(({ window }) => window.bucket),
    questions.map(({ window }) => window.limit),
    questions.map(({ window }) => window.windowSeconds),
    questions.map(({ of }) => of.length),
  ]
  const { rows } = await db.executeQuery<SeenRow>(CompiledQuery.raw(text, [...values, waits, ...columns]))
  return rows
}

/** A key that is not the same wants no place: the function is called in any case. */
function seenStatement(db: Queries): { text: string; values: readonly unknown[] } {
  if (statement !== null) return statement
  const key = keyOfColumn(db, 'wanted.hash')
  const first = key.parameters.length + 1
  const types = ['boolean', 'bytea[]', 'text[]', 'text[]', 'integer[]', 'integer[]', 'integer[]']
  const [waits, ...columns] = types.map((type, index) => `$${first + index}::${type}`)
  const text = `SELECT asked.place, asked.is_same, asked.use_is_old, taken.*
    FROM (
      SELECT wanted.*, key.is_valid AND key.facts = wanted.facts AS is_same, key.use_is_old
        FROM unnest(${columns.join(', ')})
          WITH ORDINALITY AS wanted (hash, facts, bucket, most, seconds, callers, place)
        CROSS JOIN LATERAL (${key.sql}) AS key
        OFFSET 0
    ) AS asked
    CROSS JOIN LATERAL take_places_if_free(
      asked.bucket, asked.most, asked.seconds, CASE WHEN asked.is_same THEN asked.callers ELSE 0 END, ${waits}
    ) AS taken`
  statement = { text: prepared(text), values: key.parameters }
  return statement
}

let statement: { text: string; values: readonly unknown[] } | null = null
