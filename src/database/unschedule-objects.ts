/**
 * Removes objects from the list of objects to delete. The list and its rules are in
 * src/features/storage/scheduled-deletions.ts.
 */
import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** Marks objects as needed. Once this resolves, none of them is being deleted. */
export async function unscheduleObjects(queries: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  // Locks in a fixed order, so that two callers with the same objects do not deadlock.
  await sql`
    DELETE FROM condemned_objects WHERE key IN (
      SELECT key FROM condemned_objects WHERE key = ANY(${[...keys]}::text[]) ORDER BY key FOR UPDATE)`.execute(
    queries,
  )
}
