/** Statements that are prepared answer as others do, whatever becomes of their tables. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import { prepared } from '../../src/database/prepared-texts.ts'
import { openTestDatabase } from '../kit/database.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const ask = (text: string, values: unknown[] = []) =>
  database.queries.connection().execute(async (one) => {
    const { rows } = await one.executeQuery(CompiledQuery.raw(text, values))
    const names = await one.executeQuery(
      CompiledQuery.raw('SELECT statement FROM pg_prepared_statements WHERE statement = $1', [text]),
    )
    return { rows, isNamed: names.rows.length > 0 }
  })

test('a connection keeps a prepared statement, and no other', async () => {
  const text = prepared('SELECT $1::integer + 1 AS next')
  for (const value of [1, 2, 3])
    assert.deepEqual(await ask(text, [value]), { rows: [{ next: value + 1 }], isNamed: true })
  assert.deepEqual(await ask('SELECT 7 AS seven'), { rows: [{ seven: 7 }], isNamed: false })
})

test('a statement that answers other types since its table has changed is parsed anew', async () => {
  await database.pool.query('CREATE TABLE changing (value integer)')
  await database.pool.query('INSERT INTO changing VALUES (1)')
  const text = prepared('SELECT * FROM changing')
  for (let i = 0; i < 3; i++) assert.deepEqual((await ask(text)).rows, [{ value: 1 }])
  await database.pool.query(`ALTER TABLE changing ADD COLUMN more text DEFAULT 'm'`)
  for (let i = 0; i < 3; i++) assert.deepEqual((await ask(text)).rows, [{ value: 1, more: 'm' }])
})

test('a fault of a prepared statement is told as it is', async () => {
  const text = prepared('SELECT 1 / $1::integer AS share')
  await assert.rejects(ask(text, [0]), { code: '22012' })
  assert.deepEqual((await ask(text, [1])).rows, [{ share: 1 }])
})
