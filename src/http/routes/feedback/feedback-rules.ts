/** What the schemas of the feedback operations cannot say: dates that exist, lists, cursors, one field or the other. */
import { EXPORT_EXTRAS, FEEDBACK_EXTRAS } from '../../../contract/feedback.ts'
import { byPageQueryFaults } from '../../../feedback/by-page.ts'
import { listQueryFaults, type QueryDeps } from '../../../feedback/query.ts'
import { bulkFaults, updateFaults } from '../../../feedback/review.ts'
import type { ShapeRule } from '../../operation-route.ts'

export function feedbackRules(deps: QueryDeps) {
  const projectOf = (params: Record<string, string>) => params.projectId ?? ''
  return {
    getFeedback: ({ params, query }) => listQueryFaults(deps, projectOf(params), query, FEEDBACK_EXTRAS),
    exportFeedback: ({ params, query }) => listQueryFaults(deps, projectOf(params), query, EXPORT_EXTRAS),
    getFeedbackByPage: ({ params, query }) => byPageQueryFaults(deps, projectOf(params), query),
    updateFeedback: ({ body }) => updateFaults(body),
    updateManyFeedback: ({ query, body }) => bulkFaults(query, body),
  } satisfies Record<string, ShapeRule>
}
