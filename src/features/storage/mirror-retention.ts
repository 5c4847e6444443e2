/** How long unused mirrors of each project are retained. */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'

/** Returns days by project; 0 means unlimited. Projects that are missing from the map no longer exist. */
export async function mirrorRetention(
  queries: Queries,
  retention: Retention,
): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('projects.id')
    .select(
      sql<number>`coalesce((organizations.retention->>'mirrors')::integer, ${retention.mirrors}::integer)`.as(
        'days',
      ),
    )
    .execute()
  return new Map(rows.map(({ id, days }) => [id, days]))
}
