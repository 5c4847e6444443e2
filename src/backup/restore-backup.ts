/**
 * Restores a backup into an empty database and object store:
 *
 *     objects ──▶ tables as of the backup ──▶ rows, in one transaction ──▶ newer migrations
 *
 * Each step can be repeated, so run an interrupted restore again to complete it.
 */
import { Client, type ClientConfig } from 'pg'
import { mapBounded } from '../base/bounded.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../database/database.ts'
import { migrate, migrateUntil } from '../database/migrate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { BackupError, type BackupStore, objectKey, rowsKey } from './backup-store.ts'
import { beginLoading } from './copy-tables.ts'
import type { Progress } from './create-backup.ts'
import type { Manifest } from './manifest.ts'
import { readLines, readObjectKeys } from './read-lines.ts'

export interface Destination {
  database: Database
  /** Connects directly, not through a pooler. */
  connection: ClientConfig
  objects: ObjectStore
  installQueue: () => Promise<void>
  log: Log
}

export interface Restored {
  rows: number
  objects: number
}

const BATCH = 256
const COPY_CONCURRENCY = 8

/** Throws BackupError if the database contains data, or if the backup is damaged or newer than this program. */
export async function restoreBackup(
  store: BackupStore,
  manifest: Manifest,
  destination: Destination,
  report: Progress = () => undefined,
): Promise<Restored> {
  await requireEmpty(destination.database)
  const objects = await restoreObjects(store, manifest, destination.objects, report)
  await prepareTables(destination, manifest.database.migration)
  const rows = await restoreRows(store, manifest, destination.connection, report)
  await migrate(destination.database, destination.log)
  return { rows, objects }
}

/** Throws BackupError if the database contains an installation. */
export async function requireEmpty({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    "SELECT to_regclass('public.installation') IS NOT NULL AS is_there",
  )
  if (rows[0]?.is_there !== true) return
  const { rowCount } = await pool.query(
    'SELECT FROM installation UNION ALL SELECT FROM organizations LIMIT 1',
  )
  if (rowCount !== 0)
    throw new BackupError(
      'The database already contains an installation. Restore into an empty database or data folder.',
    )
}

export async function prepareTables(
  { database, installQueue, log }: Omit<Destination, 'connection' | 'objects'>,
  migration: number,
): Promise<void> {
  const newest = await migrateUntil(database, log, migration)
  if (newest < migration)
    throw new BackupError('The backup was made by a newer version of Octavo. Restore it with that version.')
  if (newest > migration)
    throw new BackupError(
      'The tables of this database are newer than the backup. Use an empty database, or delete this one first.',
    )
  await installQueue()
}

async function restoreRows(
  store: BackupStore,
  { id, database }: Manifest,
  connection: ClientConfig,
  report: Progress,
): Promise<number> {
  const client = new Client(connection)
  client.on('error', () => undefined) // A lost connection also rejects the running query, which reports it.
  await client.connect()
  try {
    const loader = await beginLoading(client, database)
    let rows = 0
    for (const table of database.tables) {
      const loaded = await loader.load(table, await readLines(store, rowsKey(id, table.name), table.file))
      if (loaded !== table.file.rows)
        throw new BackupError(`${table.name} has ${loaded} rows instead of ${table.file.rows}.`)
      rows += loaded
      report({ stage: 'rows', count: loaded })
    }
    await loader.commit()
    return rows
  } finally {
    await client.end()
  }
}

async function restoreObjects(
  store: BackupStore,
  manifest: Manifest,
  objects: ObjectStore,
  report: Progress,
): Promise<number> {
  let restored = 0
  let batch: string[] = []
  const restoreBatch = async () => {
    await mapBounded(batch, COPY_CONCURRENCY, (key) => restoreObject(store, objects, key))
    restored += batch.length
    report({ stage: 'objects', count: batch.length })
    batch = []
  }
  for await (const key of readObjectKeys(store, manifest)) {
    batch.push(key)
    if (batch.length === BATCH) await restoreBatch()
  }
  await restoreBatch()
  return restored
}

async function restoreObject(store: BackupStore, objects: ObjectStore, key: string): Promise<void> {
  if ((await objects.head(key)) !== null) return
  const contentType = await store.contentType(objectKey(key))
  await objects.put(key, await store.get(objectKey(key)), contentType === undefined ? {} : { contentType })
}
