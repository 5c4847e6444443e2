/**
 * Copies the rows of a database: out of a snapshot, and into a database whose tables exist. Tables, indexes and
 * constraints are not copied, because migrations create them.
 */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { QUEUE_SCHEMA } from '../queue/job-table.ts'
import { BackupError } from './backup-store.ts'

export interface TableShape {
  /** Includes the schema, unless it is `public`. */
  name: string
  /** Without generated columns. */
  columns: string[]
}

export interface DatabaseShape {
  migration: number
  tables: TableShape[]
  /** Parents come before children. */
  partitions: { name: string; parent: string; bound: string; divided: string | null }[]
  sequences: { name: string; value: string }[]
}

/** Table of the job queue. Jobs that have ended are not copied. */
const QUEUE_TABLE = `${QUEUE_SCHEMA}.job`
const UNFINISHED = "state < 'completed'"

/** Begins a transaction whose queries all see the same rows, and returns its tables. */
export async function beginSnapshot(client: ClientBase): Promise<DatabaseShape> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const migrations = await client.query<{ number: number }>('SELECT max(number) AS number FROM migrations')
  const partitions = await client.query<DatabaseShape['partitions'][number]>(`
    SELECT child.relname AS name, parent.relname AS parent, pg_get_expr(child.relpartbound, child.oid) AS bound,
      CASE WHEN child.relkind = 'p' THEN pg_get_partkeydef(child.oid) END AS divided
    FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
    WHERE child.relispartition AND child.relkind IN ('r', 'p') AND child.relnamespace = 'public'::regnamespace
    ORDER BY (SELECT count(*) FROM pg_partition_ancestors(child.oid)), child.relname`)
  const sequences = await client.query<{ name: string; value: string }>(`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
    WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`)
  return {
    migration: migrations.rows[0]?.number ?? 0,
    tables: await readTables(client),
    partitions: partitions.rows,
    sequences: sequences.rows,
  }
}

async function readTables(client: ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(
    `SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS name,
       array_agg(attname::text ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     WHERE relkind IN ('r', 'p') AND NOT relispartition
       AND (nspname = 'public' AND relname <> 'migrations' OR nspname || '.' || relname = $1)
     GROUP BY nspname, relname ORDER BY 1`,
    [QUEUE_TABLE],
  )
  return rows
}

export function readRows(client: ClientBase, { name, columns }: TableShape): Readable {
  const where = name === QUEUE_TABLE ? ` WHERE ${UNFINISHED}` : ''
  const query = `SELECT ${columns.map(quote).join(', ')} FROM ${quoteTable(name)}${where}`
  return client.query(copyTo(`COPY (${query}) TO STDOUT`))
}

export interface Loader {
  /** Loads the rows of one table and returns their number. Throws BackupError if the table's columns differ. */
  load(table: TableShape, rows: Readable): Promise<number>
  commit(): Promise<void>
}

/**
 * Begins a transaction that replaces all rows. Foreign keys are checked once at the end. Triggers do not run,
 * because the rows already contain their effects. Closing the connection before `commit` leaves the database
 * unchanged.
 */
export async function beginLoading(client: ClientBase, shape: DatabaseShape): Promise<Loader> {
  await client.query('BEGIN')
  for (const { name, parent, bound, divided } of shape.partitions) {
    const by = divided === null ? '' : ` PARTITION BY ${divided}`
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${quote(name)} PARTITION OF ${quote(parent)} ${bound}${by}`,
    )
  }
  const known = new Map((await readTables(client)).map((table) => [table.name, new Set(table.columns)]))
  const foreignKeys = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`)
  for (const key of foreignKeys.rows)
    await client.query(`ALTER TABLE ${key.table} DROP CONSTRAINT ${quote(key.name)}`)
  const tables = [...known.keys()]
  for (const table of tables.filter((name) => name !== QUEUE_TABLE))
    await client.query(`ALTER TABLE ${quoteTable(table)} DISABLE TRIGGER USER`)
  await client.query(`TRUNCATE ${tables.map(quoteTable).join(', ')}`)

  return {
    async load({ name, columns }, rows) {
      const present = known.get(name)
      if (present === undefined || columns.some((column) => !present.has(column))) {
        rows.destroy()
        throw new BackupError(
          `The table ${name} differs in this version of Octavo. Restore with the version that made the backup, then upgrade.`,
        )
      }
      const list = columns.map(quote).join(', ')
      const into = client.query(copyFrom(`COPY ${quoteTable(name)} (${list}) FROM STDIN`))
      await pipeline(rows, into)
      return into.rowCount ?? 0
    },
    async commit() {
      for (const { name, value } of shape.sequences)
        await client.query(
          'SELECT setval(to_regclass($1::text), $2::bigint) WHERE to_regclass($1::text) IS NOT NULL',
          [quote(name), value],
        )
      for (const key of foreignKeys.rows)
        await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT ${quote(key.name)} ${key.definition}`)
      for (const table of tables.filter((name) => name !== QUEUE_TABLE))
        await client.query(`ALTER TABLE ${quoteTable(table)} ENABLE TRIGGER USER`)
      await client.query('COMMIT')
      await client.query('ANALYZE')
    },
  }
}

function quoteTable(name: string): string {
  return name.split('.').map(quote).join('.')
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
