/** POST /v2/agent/{projectId}/job/{id}/decline: closes the change without merging it. */
import { type DecideDeps, declineAgentReview } from '../../../agent/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function declineAgentJob(
  deps: DecideDeps,
  { tx, caller, params }: CallOf<'declineAgentJob'>,
): AnswerOf<'declineAgentJob'> {
  return { body: await declineAgentReview(deps, tx, caller, params.projectId, params.id) }
}
