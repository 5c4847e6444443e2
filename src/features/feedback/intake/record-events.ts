/**
 * Writes new and changed feedback to the outbox, with all fields shown in the list. `upsertFeedback` in
 * ../store.ts stores the entries themselves.
 */
import { findSubscribedOrganization, recordEvents } from '../../../database/outbox.ts'
import { toEntry } from '../entry.ts'
import type { ReportFeedbackChanges } from './events.ts'

/** Number of entries per batch. An entry has at most about 20 KB. */
const BATCH = 500

export const recordFeedbackChanges: ReportFeedbackChanges = async (tx, { type, projectId, feedbackIds }) => {
  const organizationId = await findSubscribedOrganization(tx, projectId, type)
  if (organizationId === null) return
  for (let start = 0; start < feedbackIds.length; start += BATCH) {
    const rows = await tx
      .selectFrom('feedback')
      .selectAll()
      .where('id', 'in', feedbackIds.slice(start, start + BATCH))
      .orderBy('id')
      .execute()
    const events = rows.map((row) => {
      const data = { projectId, feedback: toEntry(row, ['vote', 'reason']) }
      return { type, organizationId, data }
    })
    await recordEvents(tx, events)
  }
}
