/** PATCH /v1/analytics/{projectId}/feedback/{feedbackId}: the status, an internal note, or both. */
import type { FeedbackEventDeps } from '../../../feedback/events.ts'
import { updateFeedback as update } from '../../../feedback/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function updateFeedback(
  deps: FeedbackEventDeps,
  { tx, caller, params, body }: CallOf<'updateFeedback'>,
): AnswerOf<'updateFeedback'> {
  const place = { organizationId: caller.organizationId, actor: caller.id, ...params }
  const { status, note } = body
  const details = { ...(status === undefined ? {} : { status }), ...(note == null ? {} : { hasNote: true }) }
  return { body: await update(deps, tx, place, body), audit: { details } }
}
