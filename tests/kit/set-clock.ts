/**
 * The database's clock is set. No test can do that, so all the times that stand in the database are moved the other way,
 * the last look at the clock among them: for whoever reads them it is the same.
 */
import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

/**
 * Every column with a time, of our tables and the queue's; a number below zero sets the clock forward. Events of web
 * analytics and their counts stay: their times are of a server's own clock.
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
