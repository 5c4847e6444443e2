/** GET /v1/analytics/{projectId}/feedback: newest first, page by page. */
import { listFeedback, type QueryDeps } from '../../../feedback/query.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getFeedback(
  deps: QueryDeps,
  { db, caller, params, query }: CallOf<'getFeedback'>,
): AnswerOf<'getFeedback'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId }
  return { body: await listFeedback(deps, db, place, query) }
}
