/** Feedback by its words, and in groups. */
import { groupsQueryFaults, listFeedbackGroups as listGroups } from '../../../feedback/groups.ts'
import type { QueryDeps } from '../../../feedback/query.ts'
import { searchFeedback as find, searchQueryFaults } from '../../../feedback/search.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'

export async function searchFeedback(
  deps: QueryDeps,
  { db, caller: { organizationId }, params, query }: DashboardCallOf<'searchFeedback'>,
): DashboardAnswerOf<'searchFeedback'> {
  return { body: await find(deps, db, { organizationId, ...params }, query) }
}

export async function listFeedbackGroups({
  db,
  caller: { organizationId },
  params,
  query,
}: DashboardCallOf<'listFeedbackGroups'>): DashboardAnswerOf<'listFeedbackGroups'> {
  return { body: await listGroups(db, { organizationId, ...params }, query) }
}

export function feedbackDataRules(deps: QueryDeps) {
  return {
    searchFeedback: ({ params, query }) => searchQueryFaults(deps, params.projectId ?? '', query),
    listFeedbackGroups: ({ query }) => groupsQueryFaults(query),
  } satisfies Record<string, ShapeRule>
}
