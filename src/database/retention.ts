/** Age limits of rows, in SQL. The query must expose the row's organization as `organization`. */
import { type RawBuilder, sql } from 'kysely'
import type { Retention, RetentionKind } from '../base/api/retention.ts'

/**
 * Returns a condition that is true if a row is past the age limit of its organization, or of the operator if the
 * organization has set none. A limit of 0 means no limit.
 */
export function isPastRetention(
  kind: RetentionKind,
  { [kind]: days }: Retention,
  since: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const chosen = sql`coalesce((organization.retention->>${kind}::text)::integer, ${days}::integer)`
  return sql<boolean>`(${chosen} > 0 AND ${since} <= now() - make_interval(days => ${chosen}))`
}
