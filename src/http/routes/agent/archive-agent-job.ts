/** POST /v2/agent/{projectId}/job/{id}/archive: puts a job away; again is no change. */
import { archiveAgentJob as archive } from '../../../agent/steer-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function archiveAgentJob({
  tx,
  caller,
  params,
}: CallOf<'archiveAgentJob'>): AnswerOf<'archiveAgentJob'> {
  return { body: await archive(tx, caller.organizationId, params.projectId, params.id) }
}
