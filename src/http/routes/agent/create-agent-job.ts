/** POST /v2/agent/{projectId}/job: the agent is put to work, and the job's address is told. */
import { type StartJobDeps, startAgentJob } from '../../../agent/start-job.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface CreateAgentJobDeps extends StartJobDeps {
  publicUrl: () => string
}

export async function createAgentJob(
  deps: CreateAgentJobDeps,
  { tx, caller, params, body }: CallOf<'createAgentJob'>,
): AnswerOf<'createAgentJob'> {
  const job = await startAgentJob(deps, tx, caller, params.projectId, body)
  const Location = `${deps.publicUrl()}/v2/agent/${params.projectId}/job/${job.id}`
  return { body: job, headers: { Location }, audit: { subject: job.id } }
}
