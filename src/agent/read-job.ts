/** What callers see of agent jobs. */
import type { CursorCodec } from '../base/signed-cursor.ts'
import type { AgentEvent, AgentJob, AgentJobList, ListAgentJobsQuery } from '../contract/agent.ts'
import { AppError } from '../contract/errors.ts'
import type { Queries } from '../database/database.ts'
import { cutPage, isBehind, type ListPlace, readPlace } from '../database/newest-first.ts'
import { findJob, type JobRow, toAgentJob } from './store.ts'

/** Throws AppError `not_found`, the same for a job of another organization or project. */
export async function getAgentJob(
  queries: Queries,
  organizationId: string,
  projectId: string,
  jobId: string,
): Promise<AgentJob> {
  const row = await findJob(queries, { organizationId, projectId }, jobId)
  if (row === undefined) throw new AppError('not_found')
  return toAgentJob(row)
}

/** Newest first. Throws AppError `not_found`, and `invalid_request` for a cursor of elsewhere. */
export async function listAgentJobs(
  deps: { cursors: CursorCodec },
  queries: Queries,
  organizationId: string,
  projectId: string,
  query: ListAgentJobsQuery,
): Promise<AgentJobList> {
  const limit = query.limit ?? 50
  const bound = `agent-jobs:${projectId}`
  const after = readPlace(deps.cursors, bound, query.cursor)
  await checkProject(queries, organizationId, projectId)
  const rows = await selectJobs(queries, projectId, limit + 1, after)
  const { shown, ...page } = cutPage(deps.cursors, bound, rows, limit)
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

async function checkProject(queries: Queries, organizationId: string, projectId: string): Promise<void> {
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
}

async function selectJobs(
  queries: Queries,
  projectId: string,
  limit: number,
  after: ListPlace | null,
): Promise<JobRow[]> {
  return queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(isBehind(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
