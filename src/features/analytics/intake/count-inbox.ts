/**
 * Counts the events in the inbox. One transaction removes batches from the inbox, stores their events and
 * updates the counts, so a crash loses nothing and counts nothing twice. Projects are divided into parts,
 * each counted by one process at a time. Batches that cannot be counted are quarantined so that they do not
 * block later ones.
 */
import { CompiledQuery, sql } from 'kysely'
import type { Database, Queries, Tx } from '../../../database/database.ts'
import { limitSingleRows } from '../single-rows.ts'
import type { StoredEvent } from './inbox.ts'
import { limitKeys } from './limit-keys.ts'
import { createPartitions } from './partitions.ts'
import { type InboxBatch, isBatchError, type QuarantinedBatch, quarantineBatch } from './quarantine.ts'
import { type CountRow, type ProjectEvent, tally, type Visit, visitKey } from './tally.ts'

/** Maximum number of batches per transaction; a batch has about fifty events at most. */
const MAX_BATCHES = 1000
/** Number of parts, and thus of processes that can count concurrently. Must match the index of the inbox. */
const PARTITION_COUNT = 16
/** First key of the advisory locks, an arbitrary number not used elsewhere. The second key is the part. */
const COUNT_LOCK = 720_539_144
const PART = sql<number>`(hashtext(project_id) & ${sql.lit(PARTITION_COUNT - 1)})`

export interface Counted {
  /** False if the inbox is empty or other processes are counting the rest. */
  mayBeMore: boolean
  setAside: QuarantinedBatch[]
}

/** Counts batches of a part that has batches and is not being counted by another process. */
export async function countInbox(database: Database): Promise<Counted> {
  for (const part of await findPendingPartitions(database.queries)) {
    const counted = await database.transaction(async (tx) => {
      if (!(await tryLock(tx, part))) return null
      const taken = await claimBatches(tx, part)
      return taken.length === 0 ? null : { mayBeMore: true, setAside: await countBatches(tx, taken) }
    })
    if (counted !== null) return counted
  }
  return { mayBeMore: false, setAside: [] }
}

/** Returns the parts that have batches, in random order so that processes start with different parts. */
async function findPendingPartitions(queries: Queries): Promise<number[]> {
  const { rows } = await sql<{ part: number }>`
    SELECT part FROM generate_series(0, ${sql.lit(PARTITION_COUNT - 1)}) AS part
    WHERE EXISTS (SELECT FROM analytics_inbox WHERE ${PART} = part) ORDER BY random()`.execute(queries)
  return rows.map(({ part }) => part)
}

/** Bisects failing batches to isolate the faulty ones and count the others. Returns the faulty batches. */
async function countBatches(tx: Tx, batches: readonly InboxBatch[]): Promise<QuarantinedBatch[]> {
  const [first] = batches
  if (first === undefined) return []
  try {
    await sql`SAVEPOINT batches`.execute(tx)
    await addBatches(tx, batches)
    await sql`RELEASE SAVEPOINT batches`.execute(tx)
    return []
  } catch (error) {
    if (!isBatchError(error)) throw error
    await sql`ROLLBACK TO SAVEPOINT batches`.execute(tx)
    await sql`RELEASE SAVEPOINT batches`.execute(tx)
    if (batches.length === 1) return [await quarantineBatch(tx, first, error)]
    const half = batches.length >> 1
    return [
      ...(await countBatches(tx, batches.slice(0, half))),
      ...(await countBatches(tx, batches.slice(half))),
    ]
  }
}

async function addBatches(tx: Tx, batches: readonly InboxBatch[]): Promise<void> {
  const events = batches.flatMap(({ project_id: projectId, events }) =>
    (events as StoredEvent[]).map((event): ProjectEvent => ({ ...event, projectId })),
  )
  await createPartitions(tx, events)
  const { counted: bounded, accepted: stored } = await limitSingleRows(tx, events)
  const counted = tally(await limitKeys(tx, bounded))
  for (const visit of await insertVisits(tx, counted.visits())) counted.countVisitor(visit)
  await addCounts(tx, counted.rows())
  await insertEvents(tx, stored)
}

async function tryLock(tx: Tx, part: number): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean
  }>`SELECT pg_try_advisory_xact_lock(${COUNT_LOCK}, ${part}) AS taken`.execute(tx)
  return rows[0]?.taken === true
}

async function claimBatches(tx: Tx, part: number): Promise<InboxBatch[]> {
  const { rows } = await sql<InboxBatch>`
    DELETE FROM analytics_inbox WHERE id IN (
      SELECT id FROM analytics_inbox WHERE ${PART} = ${part} ORDER BY id LIMIT ${MAX_BATCHES})
    RETURNING id, project_id, events`.execute(tx)
  return rows
}

async function insertVisits(tx: Tx, visits: readonly Visit[]): Promise<Visit[]> {
  if (visits.length === 0) return []
  const { rows } = await tx.executeQuery<{ day: number; project_id: string; path: string; visitor: string }>(
    CompiledQuery.raw(
      `INSERT INTO analytics_visitors (day, project_id, path, visitor)
        SELECT (to_timestamp(day) AT TIME ZONE 'UTC')::date, project_id, path, decode(visitor, 'base64')
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS given (day, project_id, path, visitor)
        ON CONFLICT DO NOTHING
        RETURNING extract(epoch FROM day)::bigint * 1000 AS day, project_id, path, encode(visitor, 'base64') AS visitor`,
      [
        visits.map(({ day }) => day / 1000),
        visits.map(({ projectId }) => projectId),
        visits.map(({ path }) => path),
        visits.map(({ visitor }) => visitor),
      ],
    ),
  )
  const known = new Map(visits.map((visit) => [visitKey(visit), visit]))
  return rows.flatMap((row) => known.get(visitKey({ ...row, projectId: row.project_id })) ?? [])
}

async function addCounts(tx: Tx, rows: readonly CountRow[]): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(
      `INSERT INTO analytics_counts AS stored (project_id, dimension, period, starts_at, key, page,
          human, ai, bots, human_visitors, ai_visitors, empty, last_at)
        SELECT project_id, dimension, period, to_timestamp(starts_at), key, page,
          human, ai, bots, human_visitors, ai_visitors, empty, to_timestamp(last_at)
        FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::bigint[],
          $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::float8[])
          AS given (project_id, dimension, period, starts_at, key, page,
            human, ai, bots, human_visitors, ai_visitors, empty, last_at)
        ON CONFLICT (project_id, dimension, period, starts_at, key, page) DO UPDATE SET
          human = stored.human + excluded.human, ai = stored.ai + excluded.ai, bots = stored.bots + excluded.bots,
          human_visitors = stored.human_visitors + excluded.human_visitors,
          ai_visitors = stored.ai_visitors + excluded.ai_visitors,
          empty = stored.empty + excluded.empty, last_at = greatest(stored.last_at, excluded.last_at)`,
      [
        rows.map((row) => row.projectId),
        rows.map((row) => row.dimension),
        rows.map((row) => row.period),
        rows.map((row) => row.startsAt / 1000),
        rows.map((row) => row.key),
        rows.map((row) => row.page),
        rows.map((row) => row.human),
        rows.map((row) => row.ai),
        rows.map((row) => row.bots),
        rows.map((row) => row.humanVisitors),
        rows.map((row) => row.aiVisitors),
        rows.map((row) => row.empty),
        rows.map((row) => (row.lastAt === null ? null : row.lastAt / 1000)),
      ],
    ),
  )
}

async function insertEvents(tx: Tx, events: readonly ProjectEvent[]): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(
      `INSERT INTO analytics_events (project_id, at, kind, audience, path, subject, detail, results, device)
        SELECT project_id, to_timestamp(at), kind, audience, path, subject, detail, results, device
        FROM unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::integer[], $9::text[])
          AS given (project_id, at, kind, audience, path, subject, detail, results, device)`,
      [
        events.map((event) => event.projectId),
        // Round down to whole seconds: rounding up could move an event to the next day.
        events.map((event) => Math.floor(event.at / 1000)),
        events.map((event) => event.kind),
        events.map((event) => event.audience),
        events.map((event) => event.path),
        events.map((event) => event.subject),
        events.map((event) => event.detail),
        events.map((event) => event.results),
        events.map((event) => event.device),
      ],
    ),
  )
}
