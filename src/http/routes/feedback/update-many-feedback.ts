/** PATCH /v1/analytics/{projectId}/feedback: the status of all that the filters match. */
import { recordNoChange } from '../../../database/audit.ts'
import type { FeedbackEventDeps } from '../../../feedback/events.ts'
import { updateManyFeedback as updateMany } from '../../../feedback/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function updateManyFeedback(
  deps: FeedbackEventDeps,
  { tx, caller, params, query, body }: CallOf<'updateManyFeedback'>,
): AnswerOf<'updateManyFeedback'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId, actor: caller.id }
  const updated = await updateMany(deps, tx, place, query, body)
  if (updated.changed === 0) recordNoChange(tx)
  return { body: updated, audit: { details: { status: body.status, changed: updated.changed } } }
}
