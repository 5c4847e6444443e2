/** What agent jobs ask of feedback; the composition root gives it. */

import type { Tx } from '../../../database/database.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'

export interface FeedbackDesk {
  /** Sets the entries to `in_progress`, and gives them. What the project does not have is `missing`, and then nothing is set. */
  takeUp(
    tx: Tx,
    wanted: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<{ entries: FeedbackEntry[]; missing: string[] }>
  /** Sets them to `resolved`. */
  resolve(
    tx: Tx,
    wanted: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<void>
  /** Sets those that are `in_progress` to `pending`. */
  giveBack(
    tx: Tx,
    wanted: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<void>
}
