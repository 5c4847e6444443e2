/**
 * Metrics of the whole installation, read from the database. Every node that is scraped reports the same values, so
 * they are queried at most once a minute.
 */
import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Queries } from '../database/database.ts'
import { QUEUE_SCHEMA } from '../queue/job-table.ts'

export interface InstallationState {
  stored: { plan: string; holder: string; bytes: number }[]
  /** Outgoing items that are waiting, or failed in the last 24 hours. */
  outgoing: { kind: string; state: string; count: number }[]
  databaseBytes: number
  /** The largest tables with their indexes; a partitioned table counts as one. */
  tables: { table: string; bytes: number }[]
  sweptAt: Date | null
}

const MAX_TABLES = 10

export async function readInstallationState(queries: Queries): Promise<InstallationState> {
  const [sweep, stored, outgoing, size, tables] = await Promise.all([
    queries.selectFrom('storage_sweeps').select('ended_at').executeTakeFirst(),
    sql<{ plan: string; holder: string; bytes: number }>`
      SELECT coalesce(organization.plan, 'none') AS plan, holder, sum(bytes)::float8 AS bytes
      FROM storage_use LEFT JOIN organizations AS organization ON organization.id = storage_use.organization_id
      GROUP BY 1, 2`.execute(queries),
    sql<{ kind: string; state: string; count: number }>`
      SELECT 'webhook' AS kind, 'waiting' AS state, count(*)::float8 FROM webhook_deliveries WHERE status = 'pending'
      UNION ALL SELECT 'webhook', 'failed', count(*) FROM webhook_deliveries
        WHERE status = 'dead' AND ended_at > now() - interval '1 day'
      UNION ALL SELECT 'mail', 'waiting', count(*) FROM mails WHERE status = 'waiting'
      UNION ALL SELECT 'mail', 'failed', count(*) FROM mails
        WHERE status = 'failed' AND ended_at > now() - interval '1 day'`.execute(queries),
    sql<{ bytes: number }>`SELECT pg_database_size(current_database())::float8 AS bytes`.execute(queries),
    sql<{ table: string; bytes: number }>`
      SELECT coalesce(pg_partition_root(oid), oid)::regclass::text AS table,
        sum(pg_total_relation_size(oid))::float8 AS bytes
      FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, ${QUEUE_SCHEMA}::regnamespace)
      GROUP BY 1 ORDER BY 2 DESC LIMIT ${sql.lit(MAX_TABLES)}`.execute(queries),
  ])
  return {
    stored: stored.rows,
    outgoing: outgoing.rows,
    databaseBytes: size.rows[0]?.bytes ?? 0,
    tables: tables.rows,
    sweptAt: sweep?.ended_at ?? null,
  }
}

export type Series = [labels: Record<string, string>, value: number]

interface GaugeRow {
  name: string
  help: string
  labels?: string[]
  read(): Promise<Series[]> | Series[]
}

/** Adds gauges that are read on each scrape. If `read` fails, they have no values rather than outdated ones. */
export function addGauges(registry: Registry, rows: readonly GaugeRow[]): void {
  for (const { name, help, labels = [], read } of rows)
    new Gauge({
      ...{ name, help, labelNames: labels, registers: [registry] },
      async collect() {
        const found = await (async () => read())().catch(() => [])
        this.reset()
        for (const [series, value] of found) this.set(series, value)
      },
    })
}

export function watchInstallation(registry: Registry, read: () => Promise<InstallationState>): void {
  addGauges(registry, [
    {
      name: 'octavo_stored_bytes',
      help: "Bytes in the object store by the organization's plan and by use, as of the last sweep.",
      labels: ['plan', 'use'],
      read: async () =>
        (await read()).stored.map(({ plan, holder, bytes }) => [{ plan, use: holder }, bytes]),
    },
    {
      name: 'octavo_outgoing_messages',
      help: 'Webhook deliveries and emails that are queued, and those that failed in the last 24 hours.',
      labels: ['kind', 'state'],
      read: async () => (await read()).outgoing.map(({ kind, state, count }) => [{ kind, state }, count]),
    },
    {
      name: 'octavo_database_bytes',
      help: 'Size of the database.',
      read: async () => [[{}, (await read()).databaseBytes]],
    },
    {
      name: 'octavo_table_bytes',
      help: 'Size of the largest tables with their indexes.',
      labels: ['table'],
      read: async () => (await read()).tables.map(({ table, bytes }) => [{ table }, bytes]),
    },
    {
      name: 'octavo_storage_sweep_age_seconds',
      help: 'Time since the last sweep of the object store ended.',
      async read() {
        const { sweptAt } = await read()
        return sweptAt === null ? [] : [[{}, (Date.now() - sweptAt.getTime()) / 1000]]
      },
    },
  ])
}
