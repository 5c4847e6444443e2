/** Read access to agent jobs for API callers. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { countJobsAhead } from '../../queue/job-table.ts'
import type { AgentEvent, AgentJob, AgentJobList, ListAgentJobsQuery } from './operations/agent.ts'
import { type JobRef, type JobRow, jobRows, toAgentJob } from './store.ts'

/** Throws AppError `not_found`, also for a job of another organization or project. */
export async function getAgentJob(queries: Queries, ref: JobRef): Promise<AgentJob> {
  const row = await jobRows.get(queries, ref, ref.id)
  return { ...toAgentJob(row), ...(await findQueuePosition(queries, row)) }
}

/** Returns the number of jobs ahead of a queued job. */
export async function findQueuePosition(
  queries: Queries,
  { status, queue_job_id: queueJobId }: Pick<JobRow, 'status' | 'queue_job_id'>,
): Promise<Pick<AgentJob, 'queuedBehind'>> {
  if (status !== 'active' || queueJobId === null) return {}
  const before = await countJobsAhead(queries, 'agent.run', queueJobId)
  return before === null ? {} : { queuedBehind: before }
}

/** Newest first. Throws AppError `not_found`, and `invalid_request` for a cursor from another list. */
export async function listAgentJobs(
  deps: { cursors: CursorCodec },
  queries: Queries,
  owner: Omit<JobRef, 'id'>,
  query: ListAgentJobsQuery,
): Promise<AgentJobList> {
  const scope = `agent-jobs:${owner.projectId}`
  const { shown, ...page } = await jobRows.page(deps, queries, { owner, scope, query })
  return { jobs: shown.map(toAgentJob), ...page }
}

export async function readAgentEvents(
  queries: Queries,
  jobId: string,
  after: number,
  limit: number,
): Promise<{ id: number; event: AgentEvent }[]> {
  const rows = await queries
    .selectFrom('agent_job_events')
    .select(['number', 'type', 'data'])
    .where('job_id', '=', jobId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(({ number, type, data }) => ({ id: number, event: { type, data } as AgentEvent }))
}
