/** Pages with enough pending feedback. What was handed to a job of the automation before counts no more: it would come back. */
import { sql } from 'kysely'
import { MAX_FEEDBACK_PER_JOB } from '../../base/api/form-limits.ts'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import { bareCause, type Cause, type Causes, MOST_CAUSES, NOTHING } from './cause.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

/** Entries of one look, the newest. */
const MOST_ENTRIES = 5000
const MOST_PAGES = 1000

export async function findPendingFeedback(
  tx: Tx,
  { id, project_id: projectId }: AutomationRow,
  { count, pages = [] }: Extract<AutomationTrigger, { kind: 'feedback' }>,
): Promise<Causes> {
  const { rows } = await sql<{ path: string; ids: string[] }>`
    SELECT path, (array_agg(id ORDER BY sort_at DESC, id DESC))[1:${sql.lit(MAX_FEEDBACK_PER_JOB)}] AS ids
    FROM (
      SELECT entry.id, entry.path, entry.sort_at FROM feedback AS entry
      WHERE entry.project_id = ${projectId} AND entry.status = 'pending' AND entry.source <> 'thumbs_only'
      ORDER BY entry.sort_at DESC, entry.id DESC LIMIT ${MOST_ENTRIES}
    ) AS newest
    WHERE NOT EXISTS (SELECT FROM automation_seen WHERE automation_id = ${id} AND item = newest.id)
    GROUP BY path HAVING count(*) >= ${count}
    ORDER BY count(*) DESC, path LIMIT ${MOST_PAGES}`.execute(tx)
  const causes = rows
    .filter(({ path }) => matchesAny(pages, path))
    .slice(0, MOST_CAUSES)
    .map(({ path, ids }): Cause => ({ ...bareCause(path), feedbackIds: ids, items: ids }))
  return { ...NOTHING, causes }
}
