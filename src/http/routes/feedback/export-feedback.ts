/** GET /v1/analytics/{projectId}/feedback/export: everything that the filters match, as one stream. */
import { exportFeedback as openExport } from '../../../feedback/export-feedback.ts'
import type { QueryDeps } from '../../../feedback/query.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function exportFeedback(
  deps: QueryDeps,
  { db, caller, params, query }: CallOf<'exportFeedback'>,
): AnswerOf<'exportFeedback'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId }
  const { contentType, filename, lines } = await openExport(deps, db, place, query)
  return {
    contentType,
    body: lines,
    headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
  }
}
