/**
 * Objects that are no longer needed, one row each:
 *
 *     needed ──a sweep finds no row that needs it──▶ scheduled ──scheduled for long enough──▶ deleted
 *        ▲                                              │
 *        └───a row needs it again, or a job uses it─────┘
 *
 * A job removes the objects it uses from the list before it checks whether they exist (retaining-store.ts). A
 * deletion locks the rows until the objects are deleted, so a job that waits for the lock finds them missing
 * and recreates them. An object used by a job cannot be deleted before the job ends, because the time from
 * scheduling to deletion is longer than any job. If a sweep dies between two steps, the next sweep deletes
 * the remaining rows, even if their objects no longer exist.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { mapBounded } from '../../base/bounded.ts'
import { observedTimeAgo } from '../../database/clock.ts'
import type { Database, Queries } from '../../database/database.ts'
import type { ListedObject, ObjectStore } from '../../objects/object-store.ts'

const BATCH = 100
const DELETE_CONCURRENCY = 8

/** Schedules objects for deletion. Objects already scheduled keep their time. */
export async function scheduleDeletion(
  queries: Queries,
  kind: string,
  objects: readonly ListedObject[],
): Promise<void> {
  if (objects.length === 0) return
  const rows = objects.map(({ key, sizeBytes }) => ({ key, kind, size_bytes: Math.max(0, sizeBytes) }))
  await sql`
    INSERT INTO condemned_objects (key, kind, size_bytes)
    SELECT key, kind, size_bytes FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS object(key text, kind text, size_bytes bigint)
    ON CONFLICT DO NOTHING`.execute(queries)
}

export interface DeletedTotals {
  objects: number
  bytes: number
}

export interface DeletionDelay {
  kind: string
  /** Null retains the objects forever. */
  seconds: number | null
  /** Shorter time for objects of a deleted project or over `maxBytes`, which no later render will use. */
  graceSeconds: number
  /** Maximum bytes of this kind per project; the least recently used objects exceed it first. Null: unlimited. */
  maxBytes: number | null
}

/** Condition for objects that are due for deletion. Counts only observed time. */
export function isDueForDeletion({
  kind,
  seconds,
  graceSeconds,
  maxBytes,
}: DeletionDelay): RawBuilder<SqlBool> {
  const isOver = seconds === null ? sql`false` : sql`since <= ${observedTimeAgo(seconds)}`
  const isBeyond = maxBytes === null ? sql`false` : sql`key IN (${selectKeysOverLimit(kind, maxBytes)})`
  const isLate = sql`since <= ${observedTimeAgo(graceSeconds)}`
  return sql<SqlBool>`kind = ${kind} AND (${isOver} OR (${isLate} AND (is_deleted OR ${isBeyond})))`
}

/** Selects the keys of objects over their project's limit. The second part of a key is the project. */
function selectKeysOverLimit(kind: string, maxBytes: number): RawBuilder<string> {
  return sql`
    SELECT key FROM (
      SELECT key, sum(size_bytes) OVER (PARTITION BY split_part(key, '/', 2) ORDER BY since DESC, key) AS bytes
      FROM condemned_objects WHERE kind = ${kind}
    ) AS used WHERE bytes > ${maxBytes}`
}

export async function deleteScheduled(
  { database, objects }: { database: Database; objects: ObjectStore },
  time: DeletionDelay,
  signal: AbortSignal,
): Promise<DeletedTotals> {
  const deleted = { objects: 0, bytes: 0 }
  for (;;) {
    signal.throwIfAborted()
    const batch = await database.transaction(async (tx) => {
      const rows = await tx
        .selectFrom('condemned_objects')
        .select(['key', 'size_bytes'])
        .where(isDueForDeletion(time))
        .orderBy('key')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute()
      if (rows.length === 0) return rows
      await mapBounded(rows, DELETE_CONCURRENCY, ({ key }) => objects.delete(key))
      const keys = rows.map(({ key }) => key)
      await tx.deleteFrom('condemned_objects').where('key', 'in', keys).execute()
      return rows
    })
    deleted.objects += batch.length
    for (const row of batch) deleted.bytes += Number(row.size_bytes)
    if (batch.length < BATCH) return deleted
  }
}
