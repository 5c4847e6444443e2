/**
 * Detects when a project receives far more feedback than usual, compared with its busy hours: the 95th percentile of
 * hours in the previous two weeks. A spike is at least three times as much and at least ten entries, and is reported
 * at most once a day. A project with less than three days of feedback has no baseline yet.
 */
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import { recordNotification } from './record-notification.ts'

const MIN_ENTRIES = 10
const SPIKE_FACTOR = 3
const MIN_INTERVAL_HOURS = 24
const MIN_DAYS = 3
const BASELINE_DAYS = 14
/** Lifetime of a measured baseline. */
const BASELINE_TTL_HOURS = 6
/** Counting stops here. */
const MAX_ENTRIES = 20_000

interface BusyProject {
  projectId: string
  entries: number
}

/** Several processes may check at once. The row of the project ensures that only one of them reports. */
export async function detectSpikes(database: Database, signal: AbortSignal): Promise<void> {
  for (const busy of await findBusy(database.queries)) {
    signal.throwIfAborted()
    const usual = await readBaseline(database.queries, busy.projectId)
    if (usual === null || busy.entries < SPIKE_FACTOR * usual) continue
    await reportSpike(database, busy, usual)
  }
}

/** Returns projects with at least the minimum for a spike in the last hour, and no recent report. */
async function findBusy(queries: Queries): Promise<BusyProject[]> {
  const { rows } = await sql<BusyProject>`
    SELECT projects.id AS "projectId", recent.entries::integer AS entries
    FROM projects
    LEFT JOIN feedback_rates AS rate ON rate.project_id = projects.id
    CROSS JOIN LATERAL (
      SELECT count(*) AS entries FROM (
        SELECT 1 FROM feedback WHERE project_id = projects.id
          AND sort_at > now() - interval '1 hour' AND sort_at <= now() LIMIT ${MAX_ENTRIES}
      ) AS counted
    ) AS recent
    WHERE recent.entries >= ${MIN_ENTRIES}
      AND coalesce(rate.told_at < now() - make_interval(hours => ${MIN_INTERVAL_HOURS}), true)`.execute(
    queries,
  )
  return rows
}

/** Returns the number of entries in a busy hour; null without enough data. Measured again from time to time. */
async function readBaseline(queries: Queries, projectId: string): Promise<number | null> {
  const known = await queries
    .selectFrom('feedback_rates')
    .select('usual')
    .where('project_id', '=', projectId)
    .where('measured_at', '>', sql<Date>`now() - make_interval(hours => ${BASELINE_TTL_HOURS})`)
    .executeTakeFirst()
  if (known !== undefined) return known.usual
  const usual = await measureBaseline(queries, projectId)
  const values = { usual, measured_at: sql<Date>`clock_timestamp()` }
  await queries
    .insertInto('feedback_rates')
    .values({ project_id: projectId, ...values })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
    .execute()
  return usual
}

/** Includes hours without entries, starting at the first entry of the two weeks. */
async function measureBaseline(queries: Queries, projectId: string): Promise<number | null> {
  const { rows } = await sql<{ usual: number | null }>`
    WITH counted AS (
      SELECT floor(extract(epoch FROM now() - sort_at) / 3600)::integer AS hour, count(*)::integer AS entries
      FROM feedback
      WHERE project_id = ${projectId} AND sort_at <= now() - interval '1 hour'
        AND sort_at > now() - make_interval(days => ${BASELINE_DAYS})
      GROUP BY 1
    )
    SELECT CASE WHEN max(hour.number) >= ${MIN_DAYS * 24}
      THEN ceil(percentile_cont(0.95) WITHIN GROUP (ORDER BY coalesce(counted.entries, 0)))::integer END AS usual
    FROM generate_series(1, (SELECT max(hour) FROM counted)) AS hour(number)
    LEFT JOIN counted ON counted.hour = hour.number`.execute(queries)
  return rows[0]?.usual ?? null
}

async function reportSpike(
  database: Database,
  { projectId, entries }: BusyProject,
  usual: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    const lockedProject = await tx
      .updateTable('feedback_rates')
      .set({ told_at: sql<Date>`clock_timestamp()` })
      .where('project_id', '=', projectId)
      .where(sql<boolean>`coalesce(told_at < now() - make_interval(hours => ${MIN_INTERVAL_HOURS}), true)`)
      .returning('project_id')
      .executeTakeFirst()
    if (lockedProject === undefined) return
    const page = await findPage(tx, projectId, entries)
    const facts = { entries, usual, ...(page === null ? {} : { page }) }
    await recordNotification(tx, { kind: 'feedback_spike', projectId, subject: projectId, facts })
  })
}

/** Returns the page that more than half of the entries are about. */
async function findPage(queries: Queries, projectId: string, entries: number): Promise<string | null> {
  const { rows } = await sql<{ path: string; count: number }>`
    SELECT path, count(*)::integer AS count FROM (
      SELECT path FROM feedback WHERE project_id = ${projectId}
        AND sort_at > now() - interval '1 hour' AND sort_at <= now() LIMIT ${MAX_ENTRIES}
    ) AS recent
    GROUP BY path ORDER BY count DESC, path LIMIT 1`.execute(queries)
  const [topPage] = rows
  return topPage !== undefined && topPage.count * 2 > entries ? topPage.path : null
}
