/** Reads a whole backup and compares it with its manifest, and each object with its name. */
import { mapBounded } from '../base/bounded.ts'
import { verifyContent } from '../objects/checked-store.ts'
import { ObjectDamagedError, ObjectMissingError } from '../objects/object-store.ts'
import { BackupError, type BackupStore, objectKey, rowsKey } from './backup-store.ts'
import type { Manifest } from './manifest.ts'
import { readLines, readObjectKeys } from './read-lines.ts'
import { SealError } from './seal-stream.ts'

export interface VerifiedBackup {
  id: string
  rows: number
  objects: number
  /**
   * Files of the backup that are missing or damaged. Damaged objects are deleted, so that the next backup copies them
   * again.
   */
  damaged: string[]
}

const READ_CONCURRENCY = 8
const BATCH = 256

export async function verifyBackup(store: BackupStore, manifest: Manifest): Promise<VerifiedBackup> {
  const result: VerifiedBackup = { id: manifest.id, rows: 0, objects: 0, damaged: [] }
  for (const { name, file } of manifest.database.tables) {
    const key = rowsKey(manifest.id, name)
    if (await isWhole(async () => drain(await readLines(store, key, file)))) result.rows += file.rows
    else result.damaged.push(key)
  }
  let batch: string[] = []
  const verifyBatch = async () => {
    await mapBounded(batch, READ_CONCURRENCY, async (key) => {
      if (await isWhole(async () => verifyContent(key, await store.get(objectKey(key))))) result.objects += 1
      else {
        result.damaged.push(objectKey(key))
        await store.delete(objectKey(key))
      }
    })
    batch = []
  }
  const hasList = await isWhole(async () => {
    for await (const key of readObjectKeys(store, manifest)) {
      batch.push(key)
      if (batch.length === BATCH) await verifyBatch()
    }
    await verifyBatch()
  })
  if (!hasList) result.damaged.push(`backups/${manifest.id}/objects.zst`)
  return result
}

async function isWhole(read: () => Promise<void>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    if (isDamageError(error)) return false
    throw error
  }
}

/** Errors of decompression also mean that a file is damaged. */
function isDamageError(error: unknown): boolean {
  return (
    [ObjectMissingError, ObjectDamagedError, SealError, BackupError].some((kind) => error instanceof kind) ||
    /^(?:Z|ZSTD)_/.test(String((error as NodeJS.ErrnoException).code))
  )
}

async function drain(body: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of body);
}
