/** A fresh, migrated database for one test file, on a real PostgreSQL with fsync on. */
import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { hashParts } from '../../src/base/hash.ts'
import { silentLog } from '../../src/base/log.ts'
import {
  connectionConfig,
  connectionUrl,
  type Database,
  type DatabaseAddress,
  openDatabase,
} from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import type { Pooler } from './pooler.ts'

export interface TestDatabase extends Database {
  /** URL for opening a second pool or for passing to another process. */
  url: string
}

let pooler: Pooler | null = null

/** Routes databases opened later in this process through the pooler. */
export function usePooler(used: Pooler | null): void {
  pooler = used
}

/** Arbitrary advisory lock number, so that only one process creates the template at a time. */
const TEMPLATE_LOCK = 7_338_216_402

/**
 * Uses the server at OCTAVO_TEST_DATABASE_URL if set, otherwise starts one. The database is dropped on dispose.
 * `isEmpty` skips creating the tables.
 */
export async function openTestDatabase(
  options: { isEmpty?: boolean; poolSize?: number } = {},
): Promise<TestDatabase> {
  await using opening = new AsyncDisposableStack()
  const server = process.env.OCTAVO_TEST_DATABASE_URL ?? (await startOwnServer(opening))
  channel('octavo:test-database').publish({})
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = options.isEmpty ? 'template0' : await makeTemplate(server)
  await onServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`))
  opening.defer(() => onServer(server, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)))
  const url = withDatabase(server, name)
  const through = pooler === null ? { url } : { url: pooler.urlOf(url), directUrl: url }
  const database = opening.use(
    await openDatabase({ ...through, poolSize: options.poolSize ?? 10, allowFsyncOff: true, log: silentLog }),
  )
  // The template may be an hour old, and sweeps would treat that gap as time without a server.
  if (!options.isEmpty) await database.pool.query('UPDATE clock SET seen = clock_timestamp()')
  const open = opening.move()
  return { ...database, url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function startOwnServer(opening: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'octavo-test-'))
  opening.defer(() => rm(dataDir, { recursive: true, force: true }))
  const server = opening.use(await startEmbeddedPostgres({ dataDir, log: silentLog }))
  return connectionUrl(server.connection)
}

/** Creates one migrated database for all test files of a run, named after a hash of its migrations. */
async function makeTemplate(server: string): Promise<string> {
  const migrations = await readMigrations()
  const name = `template_${hashParts(...migrations.map((migration) => migration.checksum)).slice(0, 16)}`
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount !== 0) return
    // Create it under a temporary name, so that a crash never leaves an incomplete template.
    const draft = `${name}_${randomBytes(4).toString('hex')}`
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`)
    const address: DatabaseAddress = { url: withDatabase(server, draft) }
    const database = await openDatabase({ ...address, poolSize: 1, allowFsyncOff: true, log: silentLog })
    await migrate(database, silentLog).finally(() => database[Symbol.asyncDispose]())
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  })
  return name
}

async function onServer(server: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(connectionConfig({ url: server }))
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
