/**
 * Makes a backup while the installation runs: first the rows, as one snapshot of the database, then the objects that
 * no earlier backup contains. Objects never change. The snapshot's objects are not deleted during the backup, because
 * a sweep deletes objects hours after their last use.
 */
import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { Client, type ClientConfig } from 'pg'
import { mapBounded } from '../base/bounded.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import { type BackupStore, listKey, manifestKey, objectKey, rowsKey } from './backup-store.ts'
import { beginSnapshot, type DatabaseShape, readRows } from './copy-tables.ts'
import { backupId, type FileFacts, type Manifest } from './manifest.ts'

export interface Source {
  /** Connects directly, not through a pooler. */
  database: ClientConfig
  objects: ObjectStore
  program: string
  secret: string
  secretFingerprint: string
}

export type Progress = (done: { stage: 'rows' | 'objects'; count: number }) => void

/** Copied in this order. The build cache is not copied, because builds recreate it. */
const COPIED = ['blobs/', 'bundles/', 'installation.txt', 'manifests/']
const BATCH = 256
const COPY_CONCURRENCY = 8
const MAX_MISSING = 1000

/** Objects that are missing or damaged in the source are listed in `objects.missing`. */
export async function createBackup(
  source: Source,
  store: BackupStore,
  report: Progress = () => undefined,
): Promise<Manifest> {
  const at = new Date()
  const id = backupId(at)
  const database = await copyDatabase(source, store, id, report)
  const objects = await copyObjects(source.objects, store, id, report)
  const manifest: Manifest = {
    id,
    createdAt: at.toISOString(),
    program: source.program,
    database,
    objects,
    secretFingerprint: source.secretFingerprint,
    secret: store.isSealed ? source.secret : null,
  }
  await store.put(manifestKey(id), Buffer.from(JSON.stringify(manifest)), { contentType: 'application/json' })
  return manifest
}

async function copyDatabase(
  { database }: Source,
  store: BackupStore,
  id: string,
  report: Progress,
): Promise<Manifest['database']> {
  const client = new Client(database)
  client.on('error', () => undefined) // A lost connection also rejects the running query, which reports it.
  await client.connect()
  try {
    const shape: DatabaseShape = await beginSnapshot(client)
    const tables: Manifest['database']['tables'] = []
    for (const table of shape.tables) {
      const file = await storeCompressedLines(store, rowsKey(id, table.name), readRows(client, table))
      tables.push({ ...table, file })
      report({ stage: 'rows', count: file.rows })
    }
    return { ...shape, tables }
  } finally {
    await client.end()
  }
}

async function copyObjects(
  objects: ObjectStore,
  store: BackupStore,
  id: string,
  report: Progress,
): Promise<Manifest['objects']> {
  const missing: string[] = []
  let bytes = 0
  const copied = async function* () {
    for (const prefix of COPIED)
      for await (const batch of inBatches(markPresent(objects.list(prefix), store.list(objectKey(prefix))))) {
        const whole = await mapBounded(batch, COPY_CONCURRENCY, async ({ key, isPresent }) => {
          return isPresent || (await copyObject(objects, store, key))
        })
        for (const [index, { key, sizeBytes }] of batch.entries()) {
          if (whole[index] === false) missing.push(key)
          else {
            bytes += sizeBytes
            yield Buffer.from(`${key}\n`)
          }
        }
        report({ stage: 'objects', count: batch.length })
      }
  }
  const list = await storeCompressedLines(store, listKey(id), copied())
  return { list, bytes, missing: missing.slice(0, MAX_MISSING) }
}

async function copyObject(objects: ObjectStore, store: BackupStore, key: string): Promise<boolean> {
  try {
    const found = await objects.head(key)
    if (found === null) return false
    await store.put(objectKey(key), await objects.get(key), { contentType: found.contentType })
    return true
  } catch (error) {
    if (error instanceof ObjectMissingError) return false
    throw error
  }
}

/** Marks objects that the backup store already contains. Both lists are sorted. */
async function* markPresent(
  source: AsyncIterable<{ key: string; sizeBytes: number }>,
  stored: AsyncIterable<{ key: string }>,
) {
  const present = stored[Symbol.asyncIterator]()
  let next = await present.next()
  for await (const { key, sizeBytes } of source) {
    const wanted = objectKey(key)
    while (!next.done && next.value.key < wanted) next = await present.next()
    yield { key, sizeBytes, isPresent: !next.done && next.value.key === wanted }
  }
}

async function* inBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const NEWLINE = 10

/** Stores compressed lines. In PostgreSQL's text format, each row is one line. */
async function storeCompressedLines(
  store: BackupStore,
  key: string,
  lines: Readable | AsyncIterable<Uint8Array>,
): Promise<FileFacts> {
  const hash = createHash('sha256')
  const facts = { rows: 0, bytes: 0 }
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) facts.rows += 1
      done(null, chunk)
    },
  })
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      facts.bytes += chunk.byteLength
      done(null, chunk)
    },
  })
  await Promise.all([
    pipeline(lines, count, createZstdCompress(), measure),
    store.put(key, measure, { contentType: 'application/zstd' }),
  ])
  return { ...facts, sha256: hash.digest('hex') }
}
