/** POST /v2/agent/{projectId}/job/{id}/archive: puts a job away; again is no change. */
import { archiveAgentJob as archive, type SteerJobDeps } from '../../../agent/steer-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function archiveAgentJob(
  deps: SteerJobDeps,
  { tx, caller, params }: CallOf<'archiveAgentJob'>,
): AnswerOf<'archiveAgentJob'> {
  return { body: await archive(deps, tx, caller.organizationId, params.projectId, params.id) }
}
