/** Operator route that imports a feedback file. */

import { AppError } from '../../../base/errors/errors.ts'
import { recordAudit } from '../../../database/audit.ts'
import { type Handlers, validating } from '../../../routing/handler.ts'
import { entryFaults, importFeedback } from '../import-feedback.ts'
import type { FeedbackEventDeps } from '../intake/events.ts'
import { MAX_FEEDBACK_FILE_ENTRIES } from '../operations/feedback-file.ts'
import type { OPERATOR_FEEDBACK_OPERATIONS } from '../operations/operator.ts'

export function operatorFeedbackHandlers(
  deps: FeedbackEventDeps,
): Handlers<typeof OPERATOR_FEEDBACK_OPERATIONS> {
  return {
    importFeedback: validating(
      ({ body }) => {
        const { entries } = (body ?? {}) as { entries?: unknown }
        // Lets the schema report too many entries as one error instead of ten thousand.
        if (!Array.isArray(entries) || entries.length > MAX_FEEDBACK_FILE_ENTRIES) return []
        return entries.flatMap(entryFaults)
      },
      async ({ tx, caller: { id: actor }, body: { siteId, entries } }) => {
        const project = await tx
          .selectFrom('projects')
          .select(['id', 'organization_id as organizationId'])
          .where('site_id', '=', siteId)
          .executeTakeFirst()
        if (project === undefined) throw new AppError('not_found')
        const { id: projectId, organizationId } = project
        const counts = await importFeedback(deps, tx, projectId, entries)
        await recordAudit(tx, {
          ...{ organizationId, actor, action: 'feedback.imported', subject: projectId },
          details: { ...counts },
        })
        return { body: { projectId, entries: entries.length, ...counts } }
      },
    ),
  }
}
