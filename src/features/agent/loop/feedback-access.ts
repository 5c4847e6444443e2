/** Operations on feedback that agent jobs need; provided by the composition root. */

import type { Tx } from '../../../database/database.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'

export interface FeedbackAccess {
  /** Sets the entries to `in_progress` and returns them. If any is `missing` from the project, nothing is changed. */
  claim(
    tx: Tx,
    input: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<{ entries: FeedbackEntry[]; missing: string[] }>
  /** Sets the entries to `resolved`. */
  resolve(
    tx: Tx,
    input: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<void>
  /** Sets entries that are `in_progress` to `pending`. */
  release(
    tx: Tx,
    input: { projectId: string; feedbackIds: readonly string[]; actor: string; note: string },
  ): Promise<void>
}
