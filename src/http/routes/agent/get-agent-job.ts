/** GET /v2/agent/{projectId}/job/{id} */
import { getAgentJob as get } from '../../../agent/read-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getAgentJob({ db, caller, params }: CallOf<'getAgentJob'>): AnswerOf<'getAgentJob'> {
  return { body: await get(db, caller.organizationId, params.projectId, params.id) }
}
