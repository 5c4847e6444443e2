/** Routes to list, count, export and review the feedback of a project. */

import { recordNoChange } from '../../../database/audit.ts'
import { type Handlers, parsing, validating } from '../../../routing/handler.ts'
import { countFeedbackByPage, parsePageQuery } from '../by-page.ts'
import { exportFeedback } from '../export-feedback.ts'
import type { FeedbackEventDeps } from '../intake/events.ts'
import { listFeedback, parseListQuery, type QueryDeps } from '../list-feedback.ts'
import { EXPORT_EXTRAS, FEEDBACK_EXTRAS, type FEEDBACK_OPERATIONS } from '../operations/feedback.ts'
import {
  findUpdateFaults,
  getFeedbackEntry,
  parseBulkChange,
  updateFeedback,
  updateManyFeedback,
} from '../review.ts'

type FeedbackDeps = QueryDeps & FeedbackEventDeps

export function feedbackHandlers(deps: FeedbackDeps): Handlers<typeof FEEDBACK_OPERATIONS> {
  return {
    getFeedback: parsing(
      ({ params: { projectId = '' }, query }) => parseListQuery(deps, projectId, query, FEEDBACK_EXTRAS),
      async ({ db, caller: { organizationId }, params, query }, list) => ({
        body: await listFeedback(deps, db, { organizationId, ...params }, list, query.limit),
      }),
    ),
    updateManyFeedback: parsing(
      ({ query, body }) => parseBulkChange(query, body),
      async ({ tx, caller: { organizationId, id: actor }, params, body }, filters) => {
        const updated = await updateManyFeedback(
          deps,
          tx,
          { organizationId, actor, ...params },
          filters,
          body,
        )
        if (updated.changed === 0) recordNoChange(tx)
        return { body: updated, audit: { details: { status: body.status, changed: updated.changed } } }
      },
    ),
    getFeedbackByPage: parsing(
      ({ params: { projectId = '' }, query }) => parsePageQuery(deps, projectId, query),
      async ({ db, caller: { organizationId }, params, query }, list) => ({
        body: await countFeedbackByPage(deps, db, { organizationId, ...params }, list, query.limit),
      }),
    ),
    exportFeedback: parsing(
      ({ params: { projectId = '' }, query }) => parseListQuery(deps, projectId, query, EXPORT_EXTRAS),
      async ({ db, caller: { organizationId }, params, query }, list) => {
        const scope = { organizationId, ...params }
        const { contentType, filename, lines } = await exportFeedback(deps, db, scope, list, query.format)
        return {
          contentType,
          body: lines,
          headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
        }
      },
    ),
    getFeedbackEntry: async ({ db, caller: { organizationId }, params: { projectId, feedbackId } }) => ({
      body: await getFeedbackEntry(db, { organizationId, projectId }, feedbackId),
    }),
    updateFeedback: validating(
      ({ body }) => findUpdateFaults(body),
      async ({ tx, caller: { organizationId, id: actor }, params, body }) => {
        const { status, note } = body
        const details = {
          ...(status === undefined ? {} : { status }),
          ...(note == null ? {} : { hasNote: true }),
        }
        return {
          body: await updateFeedback(deps, tx, { organizationId, actor, ...params }, body),
          audit: { details },
        }
      },
    ),
  }
}
