/** How old a row may become, in SQL. The query has the row's organization under the name `organization`. */
import { type RawBuilder, sql } from 'kysely'
import type { Retention, RetentionKind } from '../base/api/retention.ts'

/** True when it has been there for longer than its organization has chosen, or else the operator. 0 is for ever. */
export function isOlder(
  kind: RetentionKind,
  { [kind]: days }: Retention,
  since: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const chosen = sql`coalesce((organization.retention->>${kind}::text)::integer, ${days}::integer)`
  return sql<boolean>`(${chosen} > 0 AND ${since} <= now() - make_interval(days => ${chosen}))`
}
