import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/database/database.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await openTestDatabase({ isEmpty: true })
  folder = await mkdtemp(join(tmpdir(), 'octavo-migrations-'))
  await write('0001_first.sql', 'CREATE TABLE first (n int)')
  await write('0002_second.sql', 'CREATE TABLE second (n int); INSERT INTO second VALUES (1)')
})

afterEach(async () => {
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)
const apply = () => migrate(database, silentLog, folder)

test('applies missing migrations in order and only once', async () => {
  await write('0003_third.sql', 'INSERT INTO second SELECT n + 1 FROM second')
  await write('notes.md', 'not a migration')
  assert.deepEqual(await apply(), ['0001_first', '0002_second', '0003_third'])
  assert.deepEqual(await apply(), [])
  await write('0004_fourth.sql', 'INSERT INTO second VALUES (4)')
  assert.deepEqual(await apply(), ['0004_fourth'])
  const rows = await database.pool.query('SELECT n FROM second ORDER BY n')
  assert.deepEqual(rows.rows, [{ n: 1 }, { n: 2 }, { n: 4 }])
})

test('nodes that start concurrently apply each migration once', async () => {
  await write('0003_slow.sql', 'SELECT pg_sleep(0.2); INSERT INTO second VALUES (3)')
  await using other = await openDatabase({
    url: database.url,
    poolSize: 2,
    allowFsyncOff: true,
    log: silentLog,
  })
  const applied = await Promise.all([apply(), migrate(other, silentLog, folder), apply()])
  assert.equal(applied.flat().length, 3)
  const rows = await database.pool.query('SELECT n FROM second ORDER BY n')
  assert.deepEqual(rows.rows, [{ n: 1 }, { n: 3 }])
})

test('a failed migration is rolled back, and earlier ones stay applied', async () => {
  await write('0003_broken.sql', 'INSERT INTO second VALUES (3); SELECT no_such_column')
  await assert.rejects(apply(), {
    name: 'DatabaseStartError',
    message: /0003_broken failed and was rolled back: column "no_such_column" does not exist/,
  })
  await write('0003_broken.sql', 'INSERT INTO second VALUES (30)')
  assert.deepEqual(await apply(), ['0003_broken'])
  const rows = await database.pool.query('SELECT n FROM second ORDER BY n')
  assert.deepEqual(rows.rows, [{ n: 1 }, { n: 30 }])
})

test('rejects an applied migration whose file was changed', async () => {
  await apply()
  await write('0001_first.sql', 'CREATE TABLE first (n bigint)')
  await assert.rejects(apply(), { name: 'DatabaseStartError', message: /0001_first was changed after/ })
})

test('a database that is newer than the program is refused', async () => {
  await apply()
  await rm(join(folder, '0002_second.sql'))
  await assert.rejects(apply(), {
    name: 'DatabaseStartError',
    message: /newer than this Octavo.*0002_second/,
  })
})

test('rejects a migration numbered below an applied one, and a duplicate number', async () => {
  await rm(join(folder, '0001_first.sql'))
  await apply()
  await write('0001_late.sql', 'SELECT 1')
  await assert.rejects(apply(), { name: 'DatabaseStartError', message: /0001_late has a lower number/ })
  await write('0001_twice.sql', 'SELECT 1')
  await assert.rejects(apply(), { message: /the same number: 0001_late and 0001_twice/ })
})

test("the program's own migrations apply to an empty database, and are numbered without a gap", async () => {
  const own = await readMigrations()
  assert.deepEqual(
    own.map((migration) => migration.number),
    own.map((_, index) => index + 1),
  )
  assert.deepEqual(
    await migrate(database, silentLog),
    own.map((migration) => migration.name),
  )
})
