/** What is over: salts and visitors of past days at once, events and counts when their time has passed. */
import { sql } from 'kysely'
import type { Retention } from '../contract/retention.ts'
import type { Queries } from '../database/database.ts'
import { isOlder } from '../database/retention.ts'
import { dropPartitions } from './partitions.ts'
import { dayOf } from './visitors.ts'

const DAY_MS = 86_400_000
/** Longer than a page tries to send the same batch. */
const BATCH_DAYS = 2

export async function retireAnalytics(
  queries: Queries,
  retention: Retention,
  now: number = Date.now(),
): Promise<void> {
  await forgetVisitors(queries, now)
  await queries
    .deleteFrom('analytics_batches')
    .where('at', '<', sql<Date>`now() - make_interval(days => ${BATCH_DAYS})`)
    .execute()
  const { analyticsEvents } = retention
  if (analyticsEvents > 0)
    await dropPartitions(queries, 'analytics_events', dayOf(now - analyticsEvents * DAY_MS))
  await deleteCounts(queries, retention)
}

/** Yesterday may still get events, until today is over. */
async function forgetVisitors(queries: Queries, now: number): Promise<void> {
  const yesterday = dayOf(now - DAY_MS)
  await sql`DELETE FROM analytics_salts WHERE day < ${yesterday}::date`.execute(queries)
  await dropPartitions(queries, 'analytics_visitors', yesterday)
}

/** Hours go with the events; days and months as the organization wants it. */
async function deleteCounts(queries: Queries, retention: Retention): Promise<void> {
  const { analyticsEvents } = retention
  if (analyticsEvents > 0)
    await sql`DELETE FROM analytics_counts
      WHERE period = 'hour' AND starts_at < now() - make_interval(days => ${analyticsEvents})`.execute(
      queries,
    )
  const over = sql`CASE period WHEN 'month' THEN starts_at + interval '1 month' ELSE starts_at + interval '1 day' END`
  await sql`DELETE FROM analytics_counts AS old USING projects AS project
    JOIN organizations AS organization ON organization.id = project.organization_id
    WHERE project.id = old.project_id AND ${isOlder('analyticsCounts', retention, over)}`.execute(queries)
}
