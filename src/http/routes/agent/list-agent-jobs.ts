/** GET /v2/agent/{projectId}/jobs: newest first, page by page. */
import { listAgentJobs as list } from '../../../agent/read-job.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface ListAgentJobsDeps {
  cursors: CursorCodec
}

export async function listAgentJobs(
  deps: ListAgentJobsDeps,
  { db, caller, params, query }: CallOf<'listAgentJobs'>,
): AnswerOf<'listAgentJobs'> {
  return { body: await list(deps, db, caller.organizationId, params.projectId, query) }
}
