/** Events about feedback for other modules, emitted in the transaction of the change. */
import type { Tx } from '../../../database/database.ts'

export interface FeedbackChanges {
  type: 'feedback.created' | 'feedback.updated'
  projectId: string
  /** At most 10,000 ids. */
  feedbackIds: readonly string[]
}

/** A rejection rolls back the change. */
export type ReportFeedbackChanges = (tx: Tx, changes: FeedbackChanges) => Promise<void>

export interface FeedbackEventDeps {
  reportFeedbackChanges: ReportFeedbackChanges
}
