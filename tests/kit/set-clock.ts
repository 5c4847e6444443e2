/**
 * Simulates a change of the database clock. Tests cannot set it, so this shifts all stored times the other way,
 * including the time of the last clock check, which looks the same to readers.
 */
import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

/**
 * Shifts every timestamp column of our tables and the queue's; negative seconds set the clock forward. Web analytics
 * events and their counts are unchanged, because their times come from a server's own clock.
 */
export async function setClockBack(database: Database, seconds: number): Promise<void> {
  const { rows } = await sql<{ place: string; columns: string[] }>`
    SELECT format('%I.%I', table_schema, table_name) AS place, array_agg(column_name::text) AS columns
    FROM information_schema.columns JOIN pg_class ON pg_class.oid = format('%I.%I', table_schema, table_name)::regclass
    WHERE relkind = 'r' AND NOT relispartition AND table_schema IN ('public', 'pgboss') AND data_type LIKE 'timestamp%'
      AND is_generated = 'NEVER' AND table_name NOT LIKE 'audit%'
    GROUP BY 1`.execute(database.queries)
  await database.transaction(async (tx) => {
    for (const { place, columns } of rows) {
      const sets = columns.map((name) => `${name} = ${name} + make_interval(secs => ${seconds})`)
      await sql`UPDATE ${sql.raw(place)} SET ${sql.raw(sets.join(', '))}`.execute(tx)
    }
  })
}
