/** GET /v1/analytics/{projectId}/feedback/by-page: counts, the page with the most first. */
import { countFeedbackByPage } from '../../../feedback/by-page.ts'
import type { QueryDeps } from '../../../feedback/query.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getFeedbackByPage(
  deps: QueryDeps,
  { db, caller, params, query }: CallOf<'getFeedbackByPage'>,
): AnswerOf<'getFeedbackByPage'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId }
  return { body: await countFeedbackByPage(deps, db, place, query) }
}
