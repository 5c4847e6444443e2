/** Operations on feedback and on readers' questions that agent jobs need; provided by the composition root. */

import type { Tx } from '../../../database/database.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../../feedback/operations/feedback.ts'

interface FeedbackChange {
  projectId: string
  feedbackIds: readonly string[]
  actor: string
  note: string
}

export interface FeedbackAccess {
  /** Sets the entries to `in_progress` and returns them. Changes nothing if the project lacks any (`missing`). */
  claim(tx: Tx, change: FeedbackChange): Promise<{ entries: FeedbackEntry[]; missing: string[] }>
  resolve(tx: Tx, change: FeedbackChange): Promise<void>
  /** Sets entries that are `in_progress` to `pending`. */
  release(tx: Tx, change: FeedbackChange): Promise<void>
}

export interface QuestionAccess {
  /** Returns the questions in the order of the ids. `missing` contains ids that are not in the project. */
  find(
    tx: Tx,
    input: { projectId: string; questionIds: readonly string[] },
  ): Promise<{ questions: AskedQuestion[]; missing: string[] }>
}
