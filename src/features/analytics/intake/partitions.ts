/**
 * Daily partitions of events and visitors, created for the first counted event of a day and dropped as a
 * whole.
 */
import { CompiledQuery, sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'
import { dayOf } from './visitors.ts'

const TABLES = ['analytics_events', 'analytics_visitors'] as const
type PartitionedTable = (typeof TABLES)[number]

const DAY_MS = 86_400_000

/** Key of an advisory lock; an arbitrary number not used elsewhere. */
const PARTITION_LOCK = 7_205_391_448

interface Partition {
  table: PartitionedTable
  day: string
  name: string
}

/** Creates missing partitions for the days of these events; a lock prevents concurrent creation. */
export async function createPartitions(tx: Tx, events: readonly { at: number }[]): Promise<void> {
  const days = [...new Set(events.map(({ at }) => dayOf(at)))]
  const partitions = TABLES.flatMap((table) =>
    days.map((day) => ({ table, day, name: partitionName(table, day) })),
  )
  if ((await findMissing(tx, partitions)).length === 0) return
  await sql`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`.execute(tx)
  for (const { table, day, name } of await findMissing(tx, partitions)) {
    // Times are in UTC regardless of the server's time zone; a plain date has no zone.
    const zone = table === 'analytics_events' ? 'T00:00:00Z' : ''
    const next = dayOf(Date.parse(`${day}T00:00:00Z`) + DAY_MS)
    await tx.executeQuery(
      CompiledQuery.raw(
        `CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM ('${day}${zone}') TO ('${next}${zone}')`,
      ),
    )
  }
}

async function findMissing(tx: Tx, partitions: readonly Partition[]): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname = ANY(${partitions.map(({ name }) => name)}::text[])`.execute(tx)
  const known = new Set(rows.map(({ name }) => name))
  return partitions.filter(({ name }) => !known.has(name))
}

export async function dropPartitions(
  queries: Queries,
  table: PartitionedTable,
  before: string,
): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    SELECT child.relname AS name FROM pg_inherits
    JOIN pg_class AS child ON child.oid = inhrelid
    WHERE inhparent = ${table}::regclass AND child.relname < ${partitionName(table, before)}`.execute(queries)
  for (const { name } of rows) await queries.executeQuery(CompiledQuery.raw(`DROP TABLE IF EXISTS ${name}`))
  return rows.length
}

/** Partition names consist of a table and a date, so they need no quotes and sort by day. */
function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`
}
