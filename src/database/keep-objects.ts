/** Takes objects off the list of what goes; the list and its rules are in src/features/storage/condemned-objects.ts. */
import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** They are needed. When this resolves, no deletion of them is under way. */
export async function keepObjects(queries: Queries, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  // In one order, so that two who keep the same objects do not wait for each other.
  await sql`
    DELETE FROM condemned_objects WHERE key IN (
      SELECT key FROM condemned_objects WHERE key = ANY(${[...keys]}::text[]) ORDER BY key FOR UPDATE)`.execute(
    queries,
  )
}
