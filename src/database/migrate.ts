/** Migrates the schema: numbered SQL files, each applied once, in order. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { sourceFile } from '../base/files/program-files.ts'
import { sha256 } from '../base/hash.ts'
import type { Log } from '../base/log.ts'
import type { Database } from './database.ts'
import { DatabaseStartError } from './start-error.ts'

export interface Migration {
  number: number
  /** `0001_accounts` */
  name: string
  sql: string
  checksum: string
}

const MIGRATIONS_FOLDER = sourceFile('database/migrations')
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

/** Arbitrary number that no other program uses as an advisory lock in this database. */
const MIGRATION_LOCK = 7_338_216_401

/**
 * Applies the missing migrations and returns their names. Nodes that start at the same time take turns. Throws
 * DatabaseStartError when an applied file was changed, when the database is newer than this program, or when a
 * migration fails. A failed migration leaves nothing behind.
 */
export async function migrate(database: Database, log: Log, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return database.withLock(MIGRATION_LOCK, (client) => applyMissing(client, migrations, log))
}

/**
 * Applies pending migrations up to a number, so that a backup of an older version can be loaded. Returns the
 * number of the last applied migration. Throws like `migrate`.
 */
export async function migrateUntil(database: Database, log: Log, number: number): Promise<number> {
  const migrations = await readMigrations()
  return database.withLock(MIGRATION_LOCK, async (client) => {
    await applyMissing(client, migrations, log, number)
    const { rows } = await client.query<{ number: number }>('SELECT max(number) AS number FROM migrations')
    return rows[0]?.number ?? 0
  })
}

/** Throws DatabaseStartError if no node has created the tables of this database yet. */
export async function requireMigrated(database: Database): Promise<void> {
  const { rows } = await database.pool.query<{ known: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS known",
  )
  if (rows[0]?.known !== true)
    throw new DatabaseStartError(
      'This database does not contain the tables of Octavo. Check DATABASE_URL, or start a node first to create them.',
    )
}

/** Returns the migrations sorted by number. Throws when two files share a number. */
export async function readMigrations(folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort()
  const migrations = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { number: Number(name.slice(0, 4)), name: name.slice(0, -4), sql, checksum: sha256(sql) }
    }),
  )
  for (const [index, migration] of migrations.entries()) {
    const before = migrations[index - 1]
    if (before?.number === migration.number) {
      throw new DatabaseStartError(
        `Two migrations have the same number: ${before.name} and ${migration.name}.`,
      )
    }
  }
  return migrations
}

async function applyMissing(
  client: Client,
  migrations: Migration[],
  log: Log,
  until = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS migrations (
       number integer PRIMARY KEY,
       name text NOT NULL,
       checksum text NOT NULL,
       applied_at timestamptz(3) NOT NULL DEFAULT now()
     )`,
  )
  const recorded = await client.query<{ number: number; name: string; checksum: string }>(
    'SELECT number, name, checksum FROM migrations ORDER BY number',
  )
  const applied = new Map(recorded.rows.map((row) => [row.number, row]))
  checkApplied(applied, migrations)
  const names: string[] = []
  for (const migration of migrations) {
    if (applied.has(migration.number) || migration.number > until) continue
    const started = Date.now()
    await applyOne(client, migration)
    log.info({ name: migration.name, milliseconds: Date.now() - started }, 'database.migrated')
    names.push(migration.name)
  }
  return names
}

function checkApplied(
  applied: Map<number, { name: string; checksum: string }>,
  migrations: Migration[],
): void {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  const newest = Math.max(0, ...applied.keys())
  for (const [number, row] of applied) {
    const migration = known.get(number)
    if (migration === undefined) {
      throw new DatabaseStartError(
        `The database is newer than this Octavo: its migration ${row.name} is unknown to this version. ` +
          'Start the newer version.',
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new DatabaseStartError(
        `The migration ${migration.name} was changed after it had been applied to this database. Restore the file, ` +
          'and put the change into a new migration.',
      )
    }
  }
  const late = migrations.find((migration) => migration.number < newest && !applied.has(migration.number))
  if (late !== undefined) {
    throw new DatabaseStartError(
      `The migration ${late.name} has a lower number than one already applied to this database. Give it the next number.`,
    )
  }
}

async function applyOne(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(migration.sql)
    await client.query('INSERT INTO migrations (number, name, checksum) VALUES ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await client.query('COMMIT')
  } catch (cause) {
    await client.query('ROLLBACK')
    throw new DatabaseStartError(
      `The migration ${migration.name} failed and was rolled back: ${(cause as Error).message}.`,
      { cause },
    )
  }
}
