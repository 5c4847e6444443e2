/**
 * Retains runs for the same time as agent jobs, and the newest runs that record the documented code for longer. Retains
 * records of handled findings while the findings could recur.
 */
import { sql } from 'kysely'
import type { Retention } from '../../base/api/retention.ts'
import type { Queries } from '../../database/database.ts'
import { isPastRetention } from '../../database/retention.ts'

/** Newest runs retained per automation; more than one, because the latest jobs may have failed. */
const RETAINED_CODE_RUNS = 5

export async function retireRuns(queries: Queries, retention: Retention): Promise<void> {
  await sql`
    DELETE FROM automation_runs AS run USING automations AS automation, organizations AS organization
    WHERE automation.id = run.automation_id AND organization.id = automation.organization_id
      AND (run.code IS NULL OR (
        SELECT count(*) FROM automation_runs AS later
        WHERE later.automation_id = run.automation_id AND later.code IS NOT NULL AND later.created_at > run.created_at
      ) >= ${RETAINED_CODE_RUNS})
      AND ${isPastRetention('agentWork', retention, sql`run.created_at`)}`.execute(queries)
  await sql`
    DELETE FROM automation_seen AS seen
    WHERE (seen.item LIKE 'search:%' AND seen.at < now() - interval '60 days')
      OR (seen.item LIKE 'fb\\_%' AND NOT EXISTS (
        SELECT FROM feedback WHERE feedback.id = seen.item AND feedback.status IN ('pending', 'in_progress')))`.execute(
    queries,
  )
}
