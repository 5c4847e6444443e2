/** What callers see of agent jobs. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import { waitingBefore } from '../../queue/queue-state.ts'
import type { AgentEvent, AgentJob, AgentJobList, ListAgentJobsQuery } from './operations/agent.ts'
import { type JobRow, jobRows, toAgentJob } from './store.ts'

/** Throws AppError `not_found`, the same for a job of another organization or project. */
export async function getAgentJob(
  queries: Queries,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  return toAgentJob(await jobRows.get(queries, { organizationId, projectId }, jobId))
}

/** The same, and how many jobs are before it while it waits. */
export async function getQueuedAgentJob(
  queries: Queries,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const row = await jobRows.get(queries, { organizationId, projectId }, jobId)
  return { ...toAgentJob(row), ...(await placeInQueue(queries, row)) }
}

export async function placeInQueue(
  queries: Queries,
  { status, queue_job_id: queueJobId }: Pick<JobRow, 'status' | 'queue_job_id'>,
): Promise<Pick<AgentJob, 'queuedBehind'>> {
  if (status !== 'active' || queueJobId === null) return {}
  const before = await waitingBefore(queries, 'agent.run', queueJobId)
  return before === null ? {} : { queuedBehind: before }
}

/** Newest first. Throws AppError `not_found`, and `invalid_request` for a cursor of elsewhere. */
export async function listAgentJobs(
  deps: { cursors: CursorCodec },
  queries: Queries,
  organizationId: string,
  projectId: string,
  query: ListAgentJobsQuery,
): Promise<AgentJobList> {
  const scope = `agent-jobs:${projectId}`
  const place = { organizationId, projectId }
  const { shown, ...page } = await jobRows.page(deps, queries, { place, scope, query })
  return { jobs: shown.map(toAgentJob), ...page }
}

/** Events behind the number `after`, in order. */
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
