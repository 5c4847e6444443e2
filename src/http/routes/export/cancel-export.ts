/** POST /v1/static-export/jobs/{jobId}/cancel: ends a job that is queued or running. */
import { cancelExport as cancel } from '../../../export/read-export.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function cancelExport({ tx, caller, params }: CallOf<'cancelExport'>): AnswerOf<'cancelExport'> {
  return { body: await cancel(tx, caller.organizationId, params.jobId) }
}
