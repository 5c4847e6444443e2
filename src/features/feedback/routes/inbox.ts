/** Feedback routes for the dashboard: text search, groups, context, saved views, and the global search. */

import { roleHasPermission } from '../../../base/api/roles.ts'
import type { Caller } from '../../../routing/caller.ts'
import { type Handlers, locationHeader, parsing, validating } from '../../../routing/handler.ts'
import { type GetFeedbackContextDeps, getFeedbackContext } from '../../dashboard/get-feedback-context.ts'
import { type SearchDeps, search } from '../../dashboard/search.ts'
import { countFeedback } from '../counts.ts'
import { parseFilters } from '../filters.ts'
import { listFeedbackGroups } from '../groups.ts'
import type { QueryDeps } from '../list-feedback.ts'
import { INBOX_OPERATIONS } from '../operations/inbox.ts'
import { parseSearchQuery, searchFeedback } from '../search.ts'
import * as views from '../views.ts'

type InboxDeps = QueryDeps & GetFeedbackContextDeps & SearchDeps & { publicUrl: () => string }

export function inboxHandlers(deps: InboxDeps): Handlers<typeof INBOX_OPERATIONS> {
  return {
    searchFeedback: parsing(
      ({ params: { projectId = '' }, query }) => parseSearchQuery(deps, projectId, query),
      async ({ db, caller: { organizationId }, params, query }, wanted) => ({
        body: await searchFeedback(deps, db, { organizationId, ...params }, wanted, query.limit),
      }),
    ),
    countFeedback: parsing(
      ({ query }) => parseFilters(query),
      async ({ db, caller: { organizationId }, params }, filters) => ({
        body: await countFeedback(db, { organizationId, ...params }, filters),
      }),
    ),
    listFeedbackGroups: parsing(
      ({ query }) => parseFilters(query),
      async ({ db, caller: { organizationId }, params, query }, filters) => ({
        body: await listFeedbackGroups(db, { organizationId, ...params }, filters, query.limit),
      }),
    ),
    getFeedbackContext: (call) => getFeedbackContext(deps, call),
    listFeedbackViews: async ({ db, caller, params }) => ({
      body: await views.listFeedbackViews(db, viewScope(caller, params)),
    }),
    createFeedbackView: validating(
      ({ body }) => views.viewFaults(body),
      async ({ tx, caller, params, body }) => {
        const view = await views.createFeedbackView(tx, viewScope(caller, params), body)
        const viewParams = { ...params, viewId: view.id }
        return {
          body: view,
          headers: locationHeader(deps, INBOX_OPERATIONS.updateFeedbackView, viewParams),
          audit: { subject: view.id, details: { name: view.name } },
        }
      },
    ),
    updateFeedbackView: validating(
      ({ body }) => views.viewFaults(body),
      async ({ tx, caller, params, body }) => ({
        body: await views.updateFeedbackView(tx, viewScope(caller, params), params.viewId, body),
      }),
    ),
    deleteFeedbackView: async ({ tx, caller, params }) => ({
      body: await views.deleteFeedbackView(tx, viewScope(caller, params), params.viewId),
    }),
    search: (call) => search(deps, call),
  }
}

function viewScope(
  { organizationId, id: userId, role }: Caller,
  { projectId }: { projectId: string },
): views.ViewScope {
  return { organizationId, projectId, userId, isAdmin: role !== null && roleHasPermission(role, 'projects') }
}
