import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { correctClockSetBack } from '../../src/app/live/follow-clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { connectionUrl, describeAddress, openDatabase } from '../../src/database/database.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'

let database: TestDatabase
before(async () => {
  database = await openTestDatabase({ poolSize: 4 })
})
after(() => database[Symbol.asyncDispose]())

test('returns timestamps as dates, bigints as numbers and calendar dates as text', async () => {
  const { rows } = await database.pool.query(
    `SELECT timestamptz '2026-11-21 10:30:00.123+01' AS at, 9007199254740991::bigint AS big, count(*) AS n,
            date '2026-11-21' AS day, '{"a":[1]}'::jsonb AS json`,
  )
  assert.deepEqual(rows, [
    {
      at: new Date('2026-11-21T09:30:00.123Z'),
      big: Number.MAX_SAFE_INTEGER,
      n: 1,
      day: '2026-11-21',
      json: { a: [1] },
    },
  ])
  await assert.rejects(database.pool.query('SELECT 9007199254740992::bigint'), /is not a safe integer/)
})

test('reads timestamps correctly in any time zone of the connection and any year', async () => {
  const client = await database.pool.connect()
  const moments = [
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:30:00.120Z',
    '0099-03-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
  ]
  try {
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Europe/London']) {
      await client.query(`SET TIME ZONE '${zone}'`)
      for (const moment of moments) {
        const { rows } = await client.query('SELECT to_timestamp($1) AS at', [Date.parse(moment) / 1000])
        assert.equal(rows[0].at.getTime(), Date.parse(moment), `${moment} in ${zone}`)
      }
    }
    const { rows } = await client.query(
      `SELECT timestamptz '0044-03-15 12:00+00 BC' AS old, timestamptz 'infinity' AS never`,
    )
    assert.deepEqual(rows, [{ old: new Date('-000043-03-15T12:00:00Z'), never: Number.POSITIVE_INFINITY }])
  } finally {
    client.release(true)
  }
})

test('a lost connection is reported once', async () => {
  const warned: object[] = []
  const lost = Promise.withResolvers<void>()
  const warn = (fields: object, event: string) => {
    warned.push({ ...fields, event })
    lost.resolve()
  }
  await using open = await openDatabase({
    url: database.url,
    poolSize: 1,
    allowFsyncOff: true,
    log: { ...silentLog, warn },
  })
  const pidOf = async () => (await open.pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  await database.pool.query('SELECT pg_terminate_backend($1)', [await pidOf()])
  await lost.promise
  await pidOf()
  assert.deepEqual(warned, [
    { cause: 'terminating connection due to administrator command', event: 'database.connection_lost' },
  ])
})

test('a transaction takes effect as a whole or not at all', async () => {
  const insert = (name: string, fails: boolean) =>
    database.transaction(async (tx) => {
      await tx
        .insertInto('organizations')
        .values({ id: `org_${name}`, name, plan: 'free' })
        .execute()
      if (fails) throw new Error('no')
      return name
    })
  assert.equal(await insert('kept', false), 'kept')
  await assert.rejects(insert('undone', true), /no/)
  const rows = await database.queries.selectFrom('organizations').select('name').execute()
  assert.deepEqual(rows, [{ name: 'kept' }])
})

test('transactions are retried after a deadlock or serialization failure, and both commit', async () => {
  await database.pool.query('CREATE TABLE pair (id int PRIMARY KEY, n int NOT NULL)')
  await database.pool.query('INSERT INTO pair VALUES (1, 0), (2, 0)')
  let first = 0
  const both = Promise.withResolvers<void>()
  const lock = (from: number, to: number) => {
    let runs = 0
    return database.transaction(async (tx) => {
      await sql`UPDATE pair SET n = n + 1 WHERE id = ${from}`.execute(tx)
      // Only the first attempts wait for each other. Retries do not.
      if (runs++ === 0) {
        if (++first === 2) both.resolve()
        await both.promise
      }
      await sql`UPDATE pair SET n = n + 1 WHERE id = ${to}`.execute(tx)
      return runs
    })
  }
  const runs = await Promise.all([lock(1, 2), lock(2, 1)])
  assert.deepEqual(runs.toSorted(), [1, 2])
  let serial = 0
  await database.transaction(async (tx) => {
    await sql`SET TRANSACTION ISOLATION LEVEL SERIALIZABLE`.execute(tx)
    await sql`SELECT n FROM pair`.execute(tx)
    if (serial++ === 0) await database.pool.query('UPDATE pair SET n = n + 1 WHERE id = 1')
    await sql`UPDATE pair SET n = n + 1 WHERE id = 1`.execute(tx)
  })
  const { rows } = await database.pool.query('SELECT n FROM pair ORDER BY id')
  assert.deepEqual([serial, rows], [2, [{ n: 4 }, { n: 2 }]])
  const never = database.transaction(() =>
    Promise.reject(Object.assign(new Error('again'), { code: '40001' })),
  )
  await assert.rejects(never, /again/)
  await database.pool.query('DROP TABLE pair')
})

test('a connection that dies during a transaction fails only that transaction', async () => {
  const dying = database.transaction(async (tx) => {
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    )
    await tx.selectFrom('organizations').select('id').execute()
  })
  await assert.rejects(dying)
  assert.ok(await database.isReachable())
})

test('an unreachable server fails the start with one sentence, and isReachable is false after close', async () => {
  await assert.rejects(
    openDatabase({ url: 'postgres://octavo:secret@127.0.0.1:1/none', poolSize: 1, log: silentLog }),
    (error: Error) =>
      error.name === 'DatabaseStartError' &&
      /127\.0\.0\.1:1\/none cannot be reached/.test(error.message) &&
      !error.message.includes('secret'),
  )
  await assert.rejects(openDatabase({ url: 'not an address', poolSize: 1, log: silentLog }), {
    name: 'DatabaseStartError',
  })
  const closed = await openDatabase({ url: database.url, poolSize: 1, allowFsyncOff: true, log: silentLog })
  await closed[Symbol.asyncDispose]()
  assert.equal(await closed.isReachable(), false)
})

test('a database that is not UTF-8 is refused', async () => {
  const name = `latin_${Date.now()}`
  await database.pool.query(
    `CREATE DATABASE ${name} TEMPLATE template0 ENCODING LATIN1 LOCALE_PROVIDER libc LOCALE 'C'`,
  )
  try {
    const url = new URL(database.url)
    url.pathname = `/${name}`
    await assert.rejects(
      openDatabase({ url: url.href, poolSize: 1, allowFsyncOff: true, log: silentLog }),
      /has the encoding LATIN1/,
    )
  } finally {
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
})

test('describes a database address without its password', () => {
  assert.equal(
    describeAddress({ url: 'postgres://me:secret@db.example.com:5433/docs' }),
    'db.example.com:5433/docs',
  )
  assert.equal(describeAddress({ url: 'postgres://me@localhost/docs?host=%2Frun%2Fpg' }), '/run/pg/docs')
  assert.equal(describeAddress({ url: 'secret' }), 'the address in DATABASE_URL')
})

test('a socket address survives the conversion to a URL', async () => {
  const { host, port, user, database: name } = new Client(database.url)
  assert.deepEqual(
    { ...new Client(connectionUrl({ host, port, user: user ?? '', database: name ?? '' })) }.host,
    host,
  )
})

test('the schema types list exactly the tables and columns of the migrations', async () => {
  const folder = join(import.meta.dirname, '../../src/database')
  const parts = (await readdir(join(folder, 'schema'))).map((name) => join('schema', name))
  const texts = await Promise.all(['schema.ts', ...parts].map((name) => readFile(join(folder, name), 'utf8')))
  const source = texts.join('\n')
  const columnsOf = (type: string): string[] => {
    const pattern = new RegExp(`interface ${type}(?: extends (\\w+))? \\{([\\s\\S]*?)\\n\\}`)
    const [, base, body = ''] = pattern.exec(source) ?? []
    const own = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, column]) => String(column))
    return base === undefined ? own : [...columnsOf(base), ...own]
  }
  const tables = [...source.matchAll(/interface (?:Schema|\w+Tables)\b[^{]*\{\n([\s\S]*?)\n\}/g)]
    .flatMap(([, body = '']) => [...body.matchAll(/^ {2}(\w+): (?:(\w+)|\{\n([\s\S]*?)\n {2}\})$/gm)])
    .map(([, table, type, columns = '']) => ({ table, type, columns }))
  const typed = tables.flatMap(({ table, type, columns }) =>
    (type === undefined
      ? [...columns.matchAll(/^ {4}(\w+)\??:/gm)].map(([, column]) => String(column))
      : columnsOf(type)
    ).map((column) => `${table}.${column}`),
  )
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     JOIN pg_class ON pg_class.oid = to_regclass(table_name) AND NOT relispartition
     WHERE table_schema = 'public' AND table_name <> 'migrations'`,
  )
  assert.deepEqual(typed.sort(), rows.map((row) => row.name).sort())
})

test('a recent clock check takes no lock, and an old one is renewed', {
  timeout: 60_000,
}, async () => {
  await database.pool.query('UPDATE clock SET seen = clock_timestamp()')
  await database.transaction(async (tx) => {
    await sql`SELECT FROM clock FOR UPDATE`.execute(tx)
    assert.equal(await correctClockSetBack(database), 0)
  })
  await database.pool.query(`UPDATE clock SET seen = clock_timestamp() - interval '2 s'`)
  await correctClockSetBack(database)
  const { rows } = await database.pool.query(
    `SELECT clock_timestamp() - seen < interval '2 s' AS is_checked FROM clock`,
  )
  assert.deepEqual(rows, [{ is_checked: true }])
})
