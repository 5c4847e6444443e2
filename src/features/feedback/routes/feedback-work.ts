/** Routes for assignees and labels of feedback. */

import { recordNoChange } from '../../../database/audit.ts'
import { type Handlers, locationHeader, validating } from '../../../routing/handler.ts'
import { changeFeedbackWork, workFaults } from '../assign-feedback.ts'
import * as labels from '../labels.ts'
import { FEEDBACK_WORK_OPERATIONS } from '../operations/feedback-work.ts'

export interface FeedbackWorkDeps {
  publicUrl: () => string
}

export function feedbackWorkHandlers(deps: FeedbackWorkDeps): Handlers<typeof FEEDBACK_WORK_OPERATIONS> {
  return {
    changeFeedbackWork: validating(
      ({ body }) => workFaults(body),
      async ({ tx, caller: { organizationId, id: actor }, params, body }) => {
        const { ids: _ids, ...wanted } = body
        const done = await changeFeedbackWork(tx, { organizationId, actor, ...params }, body)
        if (done.changed.length === 0) recordNoChange(tx)
        return { body: done, audit: { details: { ...wanted, changed: done.changed.length } } }
      },
    ),
    listFeedbackLabels: async ({ db, caller: { organizationId }, params }) => ({
      body: await labels.listFeedbackLabels(db, { organizationId, ...params }),
    }),
    async createFeedbackLabel({ tx, caller: { organizationId }, params, body }) {
      const label = await labels.createFeedbackLabel(tx, { organizationId, ...params }, body)
      const labelRef = { ...params, labelId: label.id }
      return {
        body: label,
        headers: locationHeader(deps, FEEDBACK_WORK_OPERATIONS.updateFeedbackLabel, labelRef),
        audit: { subject: label.id, details: { name: label.name } },
      }
    },
    async updateFeedbackLabel({ tx, caller: { organizationId }, params: { projectId, labelId }, body }) {
      const labelRef = { organizationId, projectId }
      const label = await labels.updateFeedbackLabel(tx, labelRef, labelId, body)
      return { body: label, audit: { subject: labelId, details: { ...body } } }
    },
    deleteFeedbackLabel: async ({ tx, caller: { organizationId }, params: { projectId, labelId } }) => {
      const labelRef = { organizationId, projectId }
      const { name, ...body } = await labels.deleteFeedbackLabel(tx, labelRef, labelId)
      return { body, audit: { subject: labelId, details: { name, entries: body.entries } } }
    },
  }
}
