/** POST /v2/agent/{projectId}/job/{id}/cancel: stops a job that is active. */
import { cancelAgentJob as cancel, type SteerJobDeps } from '../../../agent/steer-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function cancelAgentJob(
  deps: SteerJobDeps,
  { tx, caller, params }: CallOf<'cancelAgentJob'>,
): AnswerOf<'cancelAgentJob'> {
  return { body: await cancel(deps, tx, caller.organizationId, params.projectId, params.id) }
}
