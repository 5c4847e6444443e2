/** POST /v2/agent/{projectId}/job/{id}/cancel: stops a job that is active. */
import { cancelAgentJob as cancel } from '../../../agent/steer-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function cancelAgentJob({
  tx,
  caller,
  params,
}: CallOf<'cancelAgentJob'>): AnswerOf<'cancelAgentJob'> {
  return { body: await cancel(tx, caller.organizationId, params.projectId, params.id) }
}
