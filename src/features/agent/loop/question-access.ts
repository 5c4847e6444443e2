/** Access of agent jobs to readers' questions to the assistant; provided by the composition root. */

import type { Tx } from '../../../database/database.ts'
import type { AskedQuestion } from '../../assistant/operations/assistant.ts'

export interface QuestionAccess {
  /** Returns the questions in the order of the ids. `missing` are those that the project does not have. */
  find(
    tx: Tx,
    input: { projectId: string; questionIds: readonly string[] },
  ): Promise<{ questions: AskedQuestion[]; missing: string[] }>
}
