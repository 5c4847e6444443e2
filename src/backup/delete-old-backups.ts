/**
 * Deletes unfinished backups, all backups except the newest ones, and the objects that no remaining backup lists.
 */
import { type BackupStore, objectKey } from './backup-store.ts'
import { listBackups, parseBackupTime, readManifest } from './manifest.ts'
import { readObjectKeys } from './read-lines.ts'

/** Backups that are older than this and have no manifest were interrupted. */
const UNFINISHED_BACKUP_HOURS = 24

/** Must not run while a backup is being written to the same store. Returns the ids of deleted backups. */
export async function deleteOldBackups(store: BackupStore, retained: number): Promise<string[]> {
  const finished = await listBackups(store)
  const old = finished.slice(0, -retained)
  const remaining = new Set(finished.slice(-retained))
  for (const id of old) await store.delete(`backups/${id}/manifest.json`)
  await deleteFiles(store, remaining)
  if (remaining.size > 0) await deleteObjects(store, [...remaining])
  return old
}

async function deleteFiles(store: BackupStore, remaining: ReadonlySet<string>): Promise<void> {
  const finished = new Set(await listBackups(store))
  const since = Date.now() - UNFINISHED_BACKUP_HOURS * 3_600_000
  for await (const { key, modifiedAt } of store.list('backups/')) {
    const [, id = ''] = key.split('/')
    if (remaining.has(id)) continue
    const isUnfinished =
      !finished.has(id) && parseBackupTime(id).getTime() > since && modifiedAt.getTime() > since
    if (!isUnfinished) await store.delete(key)
  }
}

/** Compares the sorted lists of all backups with the sorted list of objects, so that no list is held in memory. */
async function deleteObjects(store: BackupStore, ids: readonly string[]): Promise<void> {
  const lists = await Promise.all(
    ids.map(async (id) => {
      const keys = readObjectKeys(store, await readManifest(store, id))
      return { keys, next: await keys.next() }
    }),
  )
  for await (const { key } of store.list('objects/')) {
    let isListed = false
    for (const list of lists) {
      while (!list.next.done && objectKey(list.next.value) < key) list.next = await list.keys.next()
      if (!list.next.done && objectKey(list.next.value) === key) isListed = true
    }
    if (!isListed) await store.delete(key)
  }
}
