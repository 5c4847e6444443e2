/** POST /v2/agent/{projectId}/job/{id}/accept: merges the change into the branch that it is meant for. */
import { acceptAgentReview, type DecideDeps } from '../../../agent/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function acceptAgentJob(
  deps: DecideDeps,
  { tx, caller, params }: CallOf<'acceptAgentJob'>,
): AnswerOf<'acceptAgentJob'> {
  return { body: await acceptAgentReview(deps, tx, caller, params.projectId, params.id) }
}
