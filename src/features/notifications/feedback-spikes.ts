/**
 * Detects projects that receive far more feedback than usual. The baseline is the 95th percentile of the hourly
 * counts of the previous two weeks. A spike is at least three times the baseline and at least ten entries, and
 * is reported at most once a day. A project with less than three days of feedback has no baseline.
 */
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'
import { recordNotification } from './record-notification.ts'

const MIN_SPIKE_ENTRIES = 10
const SPIKE_FACTOR = 3
const MIN_INTERVAL_HOURS = 24
const MIN_BASELINE_DAYS = 3
const BASELINE_DAYS = 14
const BASELINE_TTL_HOURS = 6
const MAX_ENTRIES = 20_000

interface BusyProject {
  projectId: string
  entries: number
}

/** Returns true if this process makes the next check. In each interval, only one of all processes makes it. */
export async function claimSpikeCheck(queries: Queries, intervalMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE clock SET spikes_checked_at = clock_timestamp()
    WHERE spikes_checked_at NOT BETWEEN clock_timestamp() - make_interval(secs => ${intervalMs / 1000})
      AND clock_timestamp()`.execute(queries)
  return numAffectedRows === 1n
}

/** Processes may check concurrently; the row of the project ensures that only one of them reports. */
export async function detectSpikes(database: Database, signal: AbortSignal): Promise<void> {
  for (const busy of await findBusyProjects(database.queries)) {
    signal.throwIfAborted()
    const usual = await readBaseline(database.queries, busy.projectId)
    if (usual === null || busy.entries < SPIKE_FACTOR * usual) continue
    await reportSpike(database, busy, usual)
  }
}

/** Finds projects with enough entries in the last hour for a spike and no recent report. Reads only that hour. */
async function findBusyProjects(queries: Queries): Promise<BusyProject[]> {
  const { rows } = await sql<BusyProject>`
    SELECT projects.id AS "projectId", least(recent.entries, ${MAX_ENTRIES})::integer AS entries
    FROM (
      SELECT project_id, count(*) AS entries FROM feedback
      WHERE sort_at > now() - interval '1 hour' AND sort_at <= now()
      GROUP BY project_id HAVING count(*) >= ${MIN_SPIKE_ENTRIES}
    ) AS recent
    JOIN projects ON projects.id = recent.project_id
    LEFT JOIN feedback_rates AS rate ON rate.project_id = projects.id
    WHERE coalesce(rate.told_at < now() - make_interval(hours => ${MIN_INTERVAL_HOURS}), true)`.execute(
    queries,
  )
  return rows
}

/** Returns the baseline in entries per hour, or null without enough data. Cached for six hours. */
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

/** Includes hours without entries, from the first entry of the two weeks. */
async function measureBaseline(queries: Queries, projectId: string): Promise<number | null> {
  const { rows } = await sql<{ usual: number | null }>`
    WITH counted AS (
      SELECT floor(extract(epoch FROM now() - sort_at) / 3600)::integer AS hour, count(*)::integer AS entries
      FROM feedback
      WHERE project_id = ${projectId} AND sort_at <= now() - interval '1 hour'
        AND sort_at > now() - make_interval(days => ${BASELINE_DAYS})
      GROUP BY 1
    )
    SELECT CASE WHEN max(hour.number) >= ${MIN_BASELINE_DAYS * 24}
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
