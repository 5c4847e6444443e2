/** Retention of unused mirrors of repositories, by project. */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'

/** Maps projects to days; 0 means unlimited. Projects that no longer exist are missing. */
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
