/**
 * Daily partitions of events and visitors: created with the first counted event of the day, and dropped as a whole.
 */
import { CompiledQuery, sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'
import { dayOf } from './visitors.ts'

const TABLES = ['analytics_events', 'analytics_visitors'] as const
type PartitionedTable = (typeof TABLES)[number]

const DAY_MS = 86_400_000

/** Creates partitions for the days of these events. Only the counting process calls this, one at a time. */
export async function createPartitions(tx: Tx, events: readonly { at: number }[]): Promise<void> {
  const days = [...new Set(events.map(({ at }) => dayOf(at)))]
  const partitions = TABLES.flatMap((table) =>
    days.map((day) => ({ table, day, name: partitionName(table, day) })),
  )
  const { rows } = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
      AND relname = ANY(${partitions.map(({ name }) => name)}::text[])`.execute(tx)
  const known = new Set(rows.map(({ name }) => name))
  for (const { table, day, name } of partitions.filter(({ name }) => !known.has(name))) {
    // Times are in UTC, whatever the time zone of the server; a date alone has none.
    const zone = table === 'analytics_events' ? 'T00:00:00Z' : ''
    const next = dayOf(Date.parse(`${day}T00:00:00Z`) + DAY_MS)
    await tx.executeQuery(
      CompiledQuery.raw(
        `CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM ('${day}${zone}') TO ('${next}${zone}')`,
      ),
    )
  }
}

/** Drops the partitions of earlier days. */
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

/** Names consist of a table and a date: they need no quotes and sort by day. */
function partitionName(table: PartitionedTable, day: string): string {
  return `${table}_${day.replaceAll('-', '')}`
}
