/** GET /v1/analytics/{projectId}/feedback/{feedbackId}: one entry with its history. */
import { getFeedbackEntry as get } from '../../../feedback/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getFeedbackEntry({
  db,
  caller,
  params,
}: CallOf<'getFeedbackEntry'>): AnswerOf<'getFeedbackEntry'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId }
  return { body: await get(db, place, params.feedbackId) }
}
