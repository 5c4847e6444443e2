/** GET /v2/agent/{projectId}/job/{id}/review: every changed file before and after. */
import { type ReviewDeps, readAgentReview } from '../../../agent/review.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getAgentReview(
  deps: ReviewDeps,
  { db, caller, params }: CallOf<'getAgentReview'>,
): AnswerOf<'getAgentReview'> {
  return { body: await readAgentReview(deps, db, caller.organizationId, params.projectId, params.id) }
}
