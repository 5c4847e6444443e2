/**
 * Retention of analytics: deletes salts and visitors of past days immediately, and events and counts when their
 * retention ends. Deletes in batches that commit separately; after a crash, the next sweep continues.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { dropPartitions } from './intake/partitions.ts'
import { deleteExpiredQuarantine } from './intake/quarantine.ts'
import { DIMENSIONS, type Period, startOf } from './intake/tally.ts'
import { dayOf } from './intake/visitors.ts'

const DAY_MS = 86_400_000
/** Number of days for which a batch id is stored. Pages stop retrying a batch earlier. */
const BATCH_ID_DAYS = 2
/** Maximum number of rows per statement, to keep locks short. */
const DELETE_BATCH_SIZE = 20_000

export async function retireAnalytics(
  queries: Queries,
  retention: Retention,
  now: number = Date.now(),
  batchSize: number = DELETE_BATCH_SIZE,
): Promise<void> {
  await deleteVisitors(queries, now)
  const isExpired = sql`at < now() - make_interval(days => ${BATCH_ID_DAYS})`
  await deleteInBatches(queries, 'analytics_batches', isExpired, batchSize)
  const { analyticsEvents } = retention
  if (analyticsEvents > 0)
    await dropPartitions(queries, 'analytics_events', dayOf(now - analyticsEvents * DAY_MS))
  await deleteExpiredQuarantine(queries)
  for (const project of await listCountedProjects(queries))
    if (project.isGone) await deleteProjectRows(queries, project.id, batchSize)
    else await deleteCounts(queries, project, retention, now, batchSize)
}

/** Excludes yesterday, because events of yesterday may still arrive until the end of today. */
async function deleteVisitors(queries: Queries, now: number): Promise<void> {
  const yesterday = dayOf(now - DAY_MS)
  await sql`DELETE FROM analytics_salts WHERE day < ${yesterday}::date`.execute(queries)
  await dropPartitions(queries, 'analytics_visitors', yesterday)
}

interface CountedProject {
  id: string
  isGone: boolean
  /** The organization's own retention of counts in days; null uses the default. */
  chosen: number | null
}

/** Reads a single index entry per project, regardless of how many counts the project has. */
async function listCountedProjects(queries: Queries): Promise<CountedProject[]> {
  const { rows } = await sql<CountedProject>`
    WITH RECURSIVE counted AS (
      (SELECT project_id AS id FROM analytics_counts ORDER BY project_id LIMIT 1)
      UNION ALL
      SELECT (SELECT project_id FROM analytics_counts WHERE project_id > counted.id ORDER BY project_id LIMIT 1)
      FROM counted WHERE counted.id IS NOT NULL
    )
    SELECT counted.id, project.id IS NULL AS "isGone",
      (organization.retention->>'analyticsCounts')::integer AS chosen
    FROM counted LEFT JOIN all_projects AS project ON project.id = counted.id
    LEFT JOIN organizations AS organization ON organization.id = project.organization_id
    WHERE counted.id IS NOT NULL`.execute(queries)
  return rows
}

/**
 * Deletes hourly counts together with the events. Deletes counts of a day, week or month once the whole period is older
 * than the retention chosen by the organization.
 */
async function deleteCounts(
  queries: Queries,
  { id, chosen }: CountedProject,
  { analyticsEvents, analyticsCounts }: Retention,
  now: number,
  batchSize: number,
): Promise<void> {
  const daysOf: Record<Period, number> = {
    hour: analyticsEvents,
    day: chosen ?? analyticsCounts,
    week: chosen ?? analyticsCounts,
    month: chosen ?? analyticsCounts,
  }
  for (const [period, days] of Object.entries(daysOf) as [Period, number][]) {
    if (days === 0) continue
    const before = new Date(startOf(period, now - days * DAY_MS))
    for (const dimension of DIMENSIONS) {
      const isExpired = sql`project_id = ${id} AND dimension = ${dimension} AND period = ${period} AND starts_at < ${before}`
      await deleteInBatches(queries, 'analytics_counts', isExpired, batchSize)
    }
  }
}

const TABLES_OF_PROJECTS = [
  'analytics_events',
  'analytics_visitors',
  'analytics_inbox',
  'analytics_set_aside',
  // Must be last, because the next sweep finds unfinished projects by these rows.
  'analytics_counts',
] as const

/** Required because analytics rows have no foreign key to the project; such a key would slow down inserts. */
async function deleteProjectRows(queries: Queries, projectId: string, batchSize: number): Promise<void> {
  for (const table of TABLES_OF_PROJECTS)
    await deleteInBatches(queries, table, sql`project_id = ${projectId}`, batchSize)
}

async function deleteInBatches(
  queries: Queries,
  table: (typeof TABLES_OF_PROJECTS)[number] | 'analytics_batches',
  isExpired: RawBuilder<unknown>,
  batchSize: number,
): Promise<void> {
  const part = sql`SELECT tableoid, ctid FROM ${sql.table(table)} WHERE ${isExpired} LIMIT ${batchSize}`
  let deleted: bigint | undefined
  do
    ({ numAffectedRows: deleted } = await sql`DELETE FROM ${sql.table(table)} AS old USING (${part}) AS part
      WHERE old.tableoid = part.tableoid AND old.ctid = part.ctid`.execute(queries))
  while (deleted === BigInt(batchSize))
}
