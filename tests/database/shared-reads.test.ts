/** Callers who ask the same are asked for together, and none gets what was read before it came. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { askCompiled } from '../../src/database/ask-prepared.ts'
import type { Queries } from '../../src/database/database.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase()
  await database.pool.query('CREATE SEQUENCE asked; CREATE TABLE said (word text)')
})
after(() => database[Symbol.asyncDispose]())

/** Each question that reaches the database has another number. */
const numberOf = async (queries: Queries, value = 1) => {
  const query = CompiledQuery.raw('SELECT $1::integer AS value, nextval($2)::integer AS number', [
    value,
    'asked',
  ])
  const [row] = await askCompiled(queries, query as CompiledQuery<{ value: number; number: number }>)
  return row
}

test('callers of one turn share one question, and those who ask something else have their own', async () => {
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => numberOf(database.queries)),
    ...Array.from({ length: 20 }, () => numberOf(database.queries, 2)),
  ])
  assert.deepEqual(
    answers.map((row) => row?.value),
    [...Array(20).fill(1), ...Array(20).fill(2)],
  )
  assert.equal(new Set(answers.map((row) => row?.number)).size, 2)
  assert.notEqual((await numberOf(database.queries))?.number, answers[0]?.number)
})

test('who comes while it is read gets what is there since, and not what was read for the one before', async () => {
  const text = 'SELECT count(*)::integer AS count FROM said, pg_advisory_xact_lock_shared($1)'
  const query = CompiledQuery.raw(text, [LOCK]) as CompiledQuery<{ count: number }>
  const count = async () => (await askCompiled(database.queries, query))[0]?.count
  const holder = await database.pool.connect()
  await holder.query('SELECT pg_advisory_lock($1)', [LOCK])
  await holder.query(`INSERT INTO said VALUES ('before')`)
  const first = count()
  while (!(await isWaiting())) await sleep(10)
  await holder.query(`INSERT INTO said VALUES ('meanwhile')`)
  const later = [count(), count()]
  holder.release(true)
  assert.deepEqual(await Promise.all([first, ...later]), [1, 2, 2])
})

const LOCK = 4711

async function isWaiting(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
     WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  )
  return rowCount !== 0
}

test('a transaction reads what it has written itself', async () => {
  const outside = numberOf(database.queries)
  const inside = database.transaction((tx) => Promise.all([numberOf(tx), numberOf(tx)]))
  const numbers = [await outside, ...(await inside)].map((row) => row?.number)
  assert.equal(new Set(numbers).size, 3)
})

test('a question that fails fails for all who share it, and is asked again', async () => {
  const query = CompiledQuery.raw('SELECT 1 / $1::integer AS part', [0])
  const asked = await Promise.allSettled([1, 2, 3].map(() => askCompiled(database.queries, query)))
  for (const { status } of asked) assert.equal(status, 'rejected')
  await assert.rejects(askCompiled(database.queries, query), /division by zero/)
})
