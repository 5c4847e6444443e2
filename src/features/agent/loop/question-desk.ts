/** What agent jobs ask of the questions that readers put to the assistant; the composition root gives it. */

import type { Tx } from '../../../database/database.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'

export interface QuestionDesk {
  /** In the order of the ids. What the project does not have is `missing`. */
  find(
    tx: Tx,
    wanted: { projectId: string; questionIds: readonly string[] },
  ): Promise<{ questions: AskedQuestion[]; missing: string[] }>
}
