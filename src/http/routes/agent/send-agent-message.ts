/** POST /v2/agent/{projectId}/job/{id}/message: more to do, on the same branch and the same pull request. */
import { type SendMessageDeps, sendAgentMessage as send } from '../../../agent/steer-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function sendAgentMessage(
  deps: SendMessageDeps,
  { tx, caller, params, body }: CallOf<'sendAgentMessage'>,
): AnswerOf<'sendAgentMessage'> {
  return { body: await send(deps, tx, caller, params.projectId, params.id, body) }
}
