/**
 * Feedback passed to agent jobs: claimed at the start, resolved when the pull request is merged, else
 * returned.
 */
import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { toEntry } from './entry.ts'
import type { FeedbackEventDeps } from './intake/events.ts'
import type { FeedbackEntry, FeedbackStatus } from './operations/feedback.ts'

export interface JobFeedback {
  projectId: string
  feedbackIds: readonly string[]
  actor: string
  note: string
}

/**
 * Sets the entries to `in_progress` and returns them with their votes and reasons, in the order of the ids.
 * Returns ids that are not feedback of the project as `missing`, in which case nothing is changed.
 */
export async function startFeedbackWork(
  deps: FeedbackEventDeps,
  tx: Tx,
  jobFeedback: JobFeedback,
): Promise<{ entries: FeedbackEntry[]; missing: string[] }> {
  const { projectId, feedbackIds } = jobFeedback
  const rows = await tx
    .selectFrom('feedback')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', 'in', [...feedbackIds])
    .execute()
  const found = new Map(rows.map((row) => [row.id, toEntry(row, ['vote', 'reason'])]))
  const missing = feedbackIds.filter((id) => !found.has(id))
  if (missing.length > 0) return { entries: [], missing }
  await setStatus(deps, tx, jobFeedback, 'in_progress')
  return { entries: feedbackIds.flatMap((id) => found.get(id) ?? []), missing: [] }
}

/** Sets the entries to `resolved`, except those dismissed in the meantime. */
export async function resolveFeedback(
  deps: FeedbackEventDeps,
  tx: Tx,
  jobFeedback: JobFeedback,
): Promise<void> {
  await setStatus(deps, tx, jobFeedback, 'resolved')
}

/** Sets `in_progress` entries back to `pending`. Keeps statuses that users set in the meantime. */
export async function reopenFeedback(
  deps: FeedbackEventDeps,
  tx: Tx,
  jobFeedback: JobFeedback,
): Promise<void> {
  await setStatus(deps, tx, jobFeedback, 'pending')
}

/** Locks entries in the order of their ids to prevent deadlocks between jobs with the same entries. */
async function setStatus(
  deps: FeedbackEventDeps,
  tx: Tx,
  { projectId, feedbackIds, actor, note }: JobFeedback,
  status: FeedbackStatus,
): Promise<void> {
  const rows = await tx
    .selectFrom('feedback')
    .select(['id', 'status'])
    .where('project_id', '=', projectId)
    .where('id', 'in', [...feedbackIds])
    .where('status', '<>', status)
    .$if(status === 'resolved', (query) => query.where('status', '<>', 'dismissed'))
    .$if(status === 'pending', (query) => query.where('status', '=', 'in_progress'))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  const changes = rows.map((row) => ({
    feedback_id: row.id,
    actor,
    note,
    from_status: row.status,
    to_status: status,
  }))
  const changed = changes.map((change) => change.feedback_id)
  await tx
    .updateTable('feedback')
    .set({ status, updated_at: sql`clock_timestamp()` })
    .where('id', 'in', changed)
    .execute()
  await tx.insertInto('feedback_changes').values(changes).execute()
  await deps.reportFeedbackChanges(tx, { type: 'feedback.updated', projectId, feedbackIds: changed })
}
