/** GET /v1/static-export/jobs/{jobId}: the job with its live progress. */
import { getExport as get } from '../../../export/read-export.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getExport({ db, caller, params }: CallOf<'getExport'>): AnswerOf<'getExport'> {
  return { body: await get(db, caller.organizationId, params.jobId) }
}
