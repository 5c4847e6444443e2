import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { Client } from 'pg'
import { silentLog } from '../../src/base/log.ts'
import type { PostgresConnection } from '../../src/database/embedded/server-client.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { DatabaseStartError } from '../../src/database/start-error.ts'
import { until } from '../kit/until.ts'

interface Holder {
  child: ChildProcess
  pid: number
  wasRunning: boolean
  connection: PostgresConnection
}

let dataDir: string
let children: ChildProcess[] = []

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'octavo-embedded-'))
})

after(() => rm(dataDir, { recursive: true, force: true }))

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  // The watcher ends the server of a killed holder. Starting and stopping waits for that.
  const server = await start()
  await run(server.connection, 'DROP TABLE IF EXISTS kept')
  await server.stop()
})

const start = () => startEmbeddedPostgres({ dataDir, log: silentLog })

async function startHolder(): Promise<Holder> {
  const script = join(import.meta.dirname, '../kit/hold-postgres.ts')
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [''])])
  assert.notEqual(String(line), '', said)
  return { child, ...JSON.parse(String(line)) }
}

async function run(connection: PostgresConnection, sql: string): Promise<unknown[]> {
  const client = new Client(connection)
  await client.connect()
  return client
    .query(sql)
    .then((result) => result.rows)
    .finally(() => client.end())
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

test('a stopped server leaves no process, and its rows are there at the next start', async () => {
  const first = await start()
  assert.equal(first.wasRunning, false)
  await run(first.connection, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)`)
  await first.stop()
  await first.stop()
  assert.ok(!isRunning(first.pid))
  await using second = await start()
  assert.deepEqual(await run(second.connection, 'SELECT n FROM kept'), [{ n: 1 }])
})

test('the server listens on no TCP port, has fsync on and sorts by a fixed locale', async () => {
  await using server = await start()
  const [row] = await run(
    server.connection,
    `SELECT current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS commits, current_setting('TimeZone') AS zone,
            (SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = 'octavo') AS locale,
            ARRAY(SELECT t FROM unnest(ARRAY['b', 'A', 'a', 'ä', 'B']) t ORDER BY t)::text AS sorted`,
  )
  assert.deepEqual(row, {
    addresses: '',
    fsync: 'on',
    commits: 'on',
    zone: 'UTC',
    locale: 'bC.UTF-8',
    sorted: '{A,B,a,b,ä}',
  })
  const socket = await stat(server.connection.host)
  assert.equal(socket.mode & 0o077, 0, 'nobody else reaches the socket')
})

test('kill -9 of the owner process loses no rows, on an immediate or a later restart', async () => {
  const owner = await startHolder()
  await run(owner.connection, `CREATE TABLE kept (n int)`)
  for (let round = 1; round <= 3; round++) {
    const holder = round === 1 ? owner : await startHolder()
    await run(holder.connection, `INSERT INTO kept VALUES (${round})`)
    holder.child.kill('SIGKILL')
    await exited(holder.child)
    if (round === 3) await until(() => !isRunning(holder.pid))
  }
  await using next = await start()
  assert.equal(next.wasRunning, false)
  assert.deepEqual(await run(next.connection, 'SELECT n FROM kept ORDER BY n'), [
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ])
})

test('PostgreSQL shuts down after kill -9 of its owner', async () => {
  const owner = await startHolder()
  owner.child.kill('SIGKILL')
  await until(() => !isRunning(owner.pid))
  const log = await readFile(join(dataDir, 'postgres', 'server.log'), 'utf8')
  assert.match(log, /database system is shut down/)
})

test('Ctrl-C stops the owner and its PostgreSQL', async () => {
  const owner = await startHolder()
  owner.child.kill('SIGINT')
  await exited(owner.child)
  assert.equal(owner.child.exitCode, 0)
  assert.ok(!isRunning(owner.pid))
})

test('a second start joins the running server and leaves it running when it stops', async () => {
  const owner = await startHolder()
  const guest = await start()
  assert.deepEqual([guest.wasRunning, guest.pid], [true, owner.pid])
  await guest.stop()
  assert.ok(isRunning(owner.pid))
  await run(owner.connection, 'SELECT 1')
})

test('the server keeps running after its owner exits while another process holds it', async () => {
  const [leaves, killed] = [await startHolder(), await startHolder()]
  const guest = await start()
  leaves.child.kill('SIGINT')
  await exited(leaves.child)
  killed.child.kill('SIGKILL')
  await exited(killed.child)
  await run(guest.connection, 'SELECT 1')
  assert.equal(guest.pid, leaves.pid)
  await guest.stop()
  assert.ok(!isRunning(guest.pid), 'the last one to leave ends it')
})

test('four concurrent starts share one server', async () => {
  const holders = await Promise.all([startHolder(), startHolder(), startHolder(), startHolder()])
  assert.equal(new Set(holders.map((holder) => holder.pid)).size, 1)
  for (const { child } of holders) child.kill('SIGINT')
  await Promise.all(holders.map(({ child }) => exited(child)))
  assert.ok(!isRunning(holders[0]?.pid ?? 0))
})

test('kill -9 of owner, watcher and PostgreSQL together loses no rows', async () => {
  const owner = await startHolder()
  await run(owner.connection, `CREATE TABLE kept (n int); INSERT INTO kept SELECT generate_series(1, 1000)`)
  for (const pid of [owner.child.pid ?? 0, ...(await watchersOf(owner.pid)), owner.pid])
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // The watcher may have ended PostgreSQL and itself already.
      assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
    }
  await exited(owner.child)
  await using next = await start()
  assert.equal(next.wasRunning, false)
  assert.deepEqual(await run(next.connection, 'SELECT count(*)::int AS n FROM kept'), [{ n: 1000 }])
})

test('a crashed server is restarted at the same address with every row', async () => {
  await using server = await start()
  await run(server.connection, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)`)
  const before = server.pid
  process.kill(before, 'SIGKILL')
  await until(() => server.pid !== before)
  assert.deepEqual(await run(server.connection, 'SELECT n FROM kept'), [{ n: 1 }])
  await server.stop()
  assert.ok(!isRunning(server.pid))
})

test('a process that joined restarts the server after the process that started it was killed', async () => {
  const first = await startHolder()
  const second = await start()
  assert.equal(second.wasRunning, true)
  await run(second.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  for (let round = 0; round < 4; round++) {
    const killed = second.pid
    process.kill(killed, 'SIGKILL')
    await until(() => second.pid !== killed)
    // Without this query, every other kill may come before the restarted server is watched.
    if (round % 2 === 1) assert.deepEqual(await run(second.connection, 'SELECT id FROM kept'), [{ id: 1 }])
  }
  await second.stop()
})

test('all holders share the server again after it was restarted', async () => {
  const [first, second] = [await startHolder(), await start()]
  process.kill(second.pid, 'SIGKILL')
  const killed = second.pid
  await until(() => second.pid !== killed)
  assert.deepEqual(await run(first.connection, 'SELECT 1 AS one'), [{ one: 1 }])
  await second.stop()
  assert.deepEqual(await run(first.connection, 'SELECT 1 AS one'), [{ one: 1 }])
})

test('a server without a watcher is stopped and replaced at the next start', async () => {
  const owner = await startHolder()
  await run(owner.connection, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)`)
  for (const pid of [...(await watchersOf(owner.pid)), owner.child.pid ?? 0]) process.kill(pid, 'SIGKILL')
  await exited(owner.child)
  assert.ok(isRunning(owner.pid))
  await using next = await start()
  assert.notEqual(next.pid, owner.pid)
  assert.deepEqual(await run(next.connection, 'SELECT n FROM kept'), [{ n: 1 }])
})

test('starts despite a lock file whose pid now belongs to another process', async () => {
  const first = await start()
  const lock = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  const text = await readFile(lock, 'utf8')
  await first.stop()
  await writeFile(lock, text.replace(/^\d+/, String(process.pid)))
  await using next = await start()
  assert.equal(next.wasRunning, false)
})

test('starts despite an empty lock file left by a crash', async () => {
  const path = join(dataDir, 'postgres', 'data', 'postmaster.pid')
  await writeFile(path, '')
  // Nearly old enough to be stale: at first it could belong to a concurrent start.
  const made = Date.now() / 1000 - 9
  await utimes(path, made, made)
  await using server = await start()
  assert.equal(server.wasRunning, false)
  assert.deepEqual(await run(server.connection, 'SELECT 1 AS one'), [{ one: 1 }])
})

test('removes the leftovers of a killed initialization', async () => {
  const fresh = join(dataDir, 'fresh')
  const half = join(fresh, 'postgres', 'data.new-4194305')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'PG_VERSION'), '18\n')
  await using server = await startEmbeddedPostgres({ dataDir: fresh, log: silentLog })
  assert.deepEqual(await run(server.connection, 'SELECT 1 AS one'), [{ one: 1 }])
  assert.equal(await stat(half).catch(() => null), null)
})

test('supports a data path that is too long for a socket and contains spaces and quotes', async () => {
  const deep = join(dataDir, `it's a "folder" of ${'many '.repeat(20)}words`)
  await using server = await startEmbeddedPostgres({ dataDir: deep, log: silentLog })
  assert.deepEqual(await run(server.connection, 'SELECT 1 AS one'), [{ one: 1 }])
  assert.ok(server.connection.host.length < 80)
})

test('rejects a data folder that is a file or was created by another PostgreSQL version', async () => {
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  await assert.rejects(
    startEmbeddedPostgres({ dataDir: join(file, 'data'), log: silentLog }),
    (error) =>
      error instanceof DatabaseStartError && /cannot be written.*Set OCTAVO_DATA/.test(error.message),
  )
  const old = join(dataDir, 'old')
  await mkdir(join(old, 'postgres', 'data'), { recursive: true })
  await writeFile(join(old, 'postgres', 'data', 'PG_VERSION'), '12\n')
  await assert.rejects(startEmbeddedPostgres({ dataDir: old, log: silentLog }), {
    name: 'DatabaseStartError',
    message: /created by PostgreSQL 12, but this Octavo includes PostgreSQL 18/,
  })
})

test('rejects a data folder without write permission', async () => {
  // Root can write everywhere except in virtual file systems of the kernel.
  let closed = '/sys/octavo'
  if (process.getuid?.() !== 0) {
    closed = join(dataDir, 'closed')
    await mkdir(closed, { mode: 0o500 })
  }
  const starting = startEmbeddedPostgres({ dataDir: closed, log: silentLog })
  await assert.rejects(starting, {
    name: 'DatabaseStartError',
    message: /cannot be written, because .*OCTAVO_DATA/,
  })
})

/** Returns the PIDs of the watcher: the parent shell of PostgreSQL and its reader process. */
async function watchersOf(postmaster: number): Promise<number[]> {
  const parent = Number((await readFile(`/proc/${postmaster}/stat`, 'utf8')).split(') ')[1]?.split(' ')[1])
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8')
  return [
    ...children
      .trim()
      .split(' ')
      .map(Number)
      .filter((pid) => pid !== postmaster),
    parent,
  ]
}

test('other users of the machine cannot connect', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be another user')
  const server = await start()
  const path = join(String(server.connection.host), '.s.PGSQL.5432')
  const script = `require('net').connect(${JSON.stringify(path)}).on('connect', () => process.exit(0)).on('error', ({ code }) => { console.log(code); process.exit(1) })`
  // The UID that PostgreSQL used to run as, and one without an account.
  for (const uid of [65_534, 54_321]) {
    const connect = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
      uid,
      gid: uid,
    })
    const [output, [code]] = await Promise.all([connect.stdout.toArray(), once(connect, 'close')])
    assert.notEqual(code, 0)
    assert.match(output.join(''), /EACCES/)
  }
  await server.stop()
})
