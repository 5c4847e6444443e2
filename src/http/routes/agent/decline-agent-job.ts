/** POST /v2/agent/{projectId}/job/{id}/decline: closes the change without merging it. */
import { declineAgentReview, type ReviewDeps } from '../../../agent/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function declineAgentJob(
  deps: ReviewDeps,
  { tx, caller, params }: CallOf<'declineAgentJob'>,
): AnswerOf<'declineAgentJob'> {
  return { body: await declineAgentReview(deps, tx, caller, params.projectId, params.id) }
}
