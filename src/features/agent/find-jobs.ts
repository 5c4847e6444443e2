/** Queries for agent jobs on the dashboard: the latest of a project, those for a feedback entry, and text search. */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { AgentJobLine } from '../dashboard/operations/work.ts'
import type { AgentJob } from './operations/agent.ts'
import { type JobRow, toAgentJob } from './store.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

const MAX_JOBS_SEARCHED = 500
const PROMPT_CHARACTERS = 300

function selectJobs(queries: Queries, { organizationId, projectId }: ProjectScope) {
  return queries
    .selectFrom('agent_jobs')
    .where('agent_jobs.project_id', '=', projectId)
    .where('agent_jobs.organization_id', '=', organizationId)
    .orderBy('agent_jobs.created_at', 'desc')
    .orderBy('agent_jobs.id', 'desc')
}

function selectJobsWithPrompt(queries: Queries, scope: ProjectScope) {
  return selectJobs(queries, scope)
    .leftJoin('agent_job_prompts as asked', (join) =>
      join.onRef('asked.job_id', '=', 'agent_jobs.id').on('asked.number', '=', 1),
    )
    .selectAll('agent_jobs')
    .select(({ fn, val }) => fn<string | null>('left', ['asked.prompt', val(PROMPT_CHARACTERS)]).as('prompt'))
}

function toLine({ prompt, ...job }: JobRow & { prompt: string | null }): AgentJobLine {
  return { job: toAgentJob(job), state: job.pull_request_state ?? 'none', prompt: prompt ?? '' }
}

export async function listRecentAgentJobs(
  queries: Queries,
  scope: ProjectScope,
  limit: number,
): Promise<{ active: number; jobs: AgentJobLine[] }> {
  const [rows, active] = await Promise.all([
    selectJobsWithPrompt(queries, scope).limit(limit).execute(),
    queries
      .selectFrom('agent_jobs')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('project_id', '=', scope.projectId)
      .where('organization_id', '=', scope.organizationId)
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow(),
  ])
  return { active: active.count, jobs: rows.map(toLine) }
}

export async function listJobsAbout(
  queries: Queries,
  scope: ProjectScope,
  about: { feedbackId: string } | { questionId: string },
  limit: number,
): Promise<AgentJobLine[]> {
  const jobIds =
    'feedbackId' in about
      ? queries.selectFrom('agent_job_feedback').select('job_id').where('feedback_id', '=', about.feedbackId)
      : queries.selectFrom('agent_job_questions').select('job_id').where('question_id', '=', about.questionId)
  const rows = await selectJobsWithPrompt(queries, scope)
    .where('agent_jobs.id', 'in', jobIds)
    .limit(limit)
    .execute()
  return rows.map(toLine)
}

export interface FoundJob {
  job: AgentJob
  prompt: string | null
}

/** Matches id, title, branch or first prompt of the newest 500 jobs; `pattern` is a LIKE pattern. */
export async function findAgentJobs(
  queries: Queries,
  scope: ProjectScope,
  pattern: string,
  limit: number,
): Promise<FoundJob[]> {
  const recent = selectJobs(queries, scope).selectAll().limit(MAX_JOBS_SEARCHED)
  const rows = await queries
    .selectFrom(recent.as('job'))
    .leftJoin('agent_job_prompts as asked', (join) =>
      join.onRef('asked.job_id', '=', 'job.id').on('asked.number', '=', 1),
    )
    .selectAll('job')
    .select('asked.prompt')
    .where(
      sql<boolean>`(job.id ILIKE ${pattern} OR job.title ILIKE ${pattern} OR job.branch ILIKE ${pattern} OR asked.prompt ILIKE ${pattern})`,
    )
    .orderBy('job.created_at', 'desc')
    .orderBy('job.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ prompt, ...job }) => ({ job: toAgentJob(job), prompt }))
}
