/** What is over: salts and visitors of past days at once, events and counts when their time has passed. */
import { sql } from 'kysely'
import type { Retention } from '../contract/retention.ts'
import type { Queries } from '../database/database.ts'
import { isOlder } from '../database/retention.ts'
import { dropPartitions } from './partitions.ts'
import { retireSetAside } from './set-aside.ts'
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
  await retireSetAside(queries)
  await deleteCounts(queries, retention)
  await forgetDeletedProjects(queries)
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

const TABLES_OF_PROJECTS = [
  'analytics_counts',
  'analytics_events',
  'analytics_visitors',
  'analytics_inbox',
  'analytics_set_aside',
] as const
/** Rows of one statement: none of them holds locks for long. */
const DELETED_AT_ONCE = 20_000

/** No row of web analytics refers to its project, which would cost a look for each: what is left of one goes here. */
async function forgetDeletedProjects(queries: Queries): Promise<void> {
  for (const projectId of await projectsThatAreGone(queries))
    for (const table of TABLES_OF_PROJECTS) {
      const part = sql`SELECT tableoid, ctid FROM ${sql.table(table)} WHERE project_id = ${projectId} LIMIT ${DELETED_AT_ONCE}`
      let deleted: bigint | undefined
      do
        ({ numAffectedRows: deleted } =
          await sql`DELETE FROM ${sql.table(table)} AS old USING (${part}) AS part
            WHERE old.project_id = ${projectId} AND old.tableoid = part.tableoid AND old.ctid = part.ctid`.execute(
            queries,
          ))
      while (deleted === BigInt(DELETED_AT_ONCE))
    }
}

/** Goes from one project to the next in the index of counts, however many rows each has. */
async function projectsThatAreGone(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE counted AS (
      (SELECT project_id AS id FROM analytics_counts ORDER BY project_id LIMIT 1)
      UNION ALL
      SELECT (SELECT project_id FROM analytics_counts WHERE project_id > counted.id ORDER BY project_id LIMIT 1)
      FROM counted WHERE counted.id IS NOT NULL
    )
    SELECT id FROM counted WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM projects WHERE projects.id = counted.id)`.execute(
    queries,
  )
  return rows.map(({ id }) => id)
}
