/** Agent jobs for the dashboard: who started them, their cost, and how close they are to their limits. */
import { type SqlBool, sql } from 'kysely'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import type { AgentWork, AgentWorkDetail, AgentWorkQuery } from '../dashboard/operations/work.ts'
import { findQueuePosition } from './read-job.ts'
import { type AgentSetup, capsFor } from './setup.ts'
import { canPublishAgain } from './steer-job.ts'
import { type JobRow, jobRows, toAgentJob } from './store.ts'

/** Contains user ids; other modules resolve them to names. */
export interface WorkWithPersonIds {
  work: Omit<AgentWork, 'startedBy'>
  startedBy: string | null
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

const PROMPT_CHARACTERS = 300

/** Newest first. Throws AppError `not_found`, `invalid_request` for a cursor from another list. */
export async function listAgentWork(
  deps: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  query: AgentWorkQuery,
): Promise<{ jobs: WorkWithPersonIds[]; nextCursor: string | null; hasMore: boolean }> {
  const isArchived = query.list === 'archived'
  const scope = `agent-work:${projectScope.projectId}:${isArchived}`
  const only = isArchived ? sql<SqlBool>`status = 'archived'` : sql<SqlBool>`status <> 'archived'`
  const { shown, ...page } = await jobRows.page(deps, queries, { owner: projectScope, scope, query, only })
  const prompts = await findFirstPrompts(queries, shown)
  return { jobs: shown.map((row) => toWork(row, prompts.get(row.id) ?? '')), ...page }
}

export interface WorkDetailWithPersonIds extends WorkWithPersonIds {
  more: Omit<AgentWorkDetail, 'startedBy' | 'prompts' | keyof WorkWithPersonIds['work']>
  prompts: (Omit<AgentWorkDetail['prompts'][number], 'askedBy'> & { askedBy: string | null })[]
}

/** Throws AppError `not_found`. */
export async function getAgentWork(
  deps: { agent: AgentSetup },
  queries: Queries,
  projectScope: ProjectScope,
  jobId: string,
): Promise<WorkDetailWithPersonIds> {
  const row = await jobRows.get(queries, projectScope, jobId)
  const { agent } = await queries
    .selectFrom('projects')
    .select('agent')
    .where('id', '=', row.project_id)
    .executeTakeFirstOrThrow()
  const { steps, tokens, minutes, files } = capsFor(deps.agent, agent)
  const prompts = await queries
    .selectFrom('agent_job_prompts')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute()
  const turn = {
    steps: row.steps,
    tokens: row.turn_tokens,
    startedAt: iso(row.turn_started_at),
    workedMs: row.turn_ms,
  }
  const shown = toWork(row, prompts[0]?.prompt ?? '')
  Object.assign(shown.work.job, await findQueuePosition(queries, row))
  return {
    ...shown,
    more: {
      caps: { steps, tokens, minutes, files },
      turn,
      canPublish: canPublishAgain(row),
      feedback: await listAnsweredFeedback(queries, projectScope.projectId, jobId),
      questions: prompts.flatMap(({ questions }) =>
        questions.map(({ id, path, question }) => ({ id, path, question })),
      ),
    },
    prompts: prompts.map(({ number, prompt, asked_by, created_at, started_at, ended_at }) => ({
      number,
      prompt,
      askedBy: asked_by,
      createdAt: created_at.toISOString(),
      startedAt: iso(started_at),
      endedAt: iso(ended_at),
    })),
  }
}

function toWork(row: JobRow, prompt: string): WorkWithPersonIds {
  return {
    work: {
      job: toAgentJob(row),
      costUsd: row.cost_micros === null ? null : row.cost_micros / 1_000_000,
      state: row.pull_request_state ?? 'none',
      prompt: prompt.slice(0, PROMPT_CHARACTERS),
    },
    startedBy: row.started_by,
  }
}

async function findFirstPrompts(queries: Queries, jobs: readonly JobRow[]): Promise<Map<string, string>> {
  if (jobs.length === 0) return new Map()
  const rows = await queries
    .selectFrom('agent_job_prompts')
    .select(({ fn, val }) => ['job_id', fn<string>('left', ['prompt', val(PROMPT_CHARACTERS)]).as('prompt')])
    .where(
      'job_id',
      'in',
      jobs.map(({ id }) => id),
    )
    .where('number', '=', 1)
    .execute()
  return new Map(rows.map(({ job_id, prompt }) => [job_id, prompt]))
}

async function listAnsweredFeedback(queries: Queries, projectId: string, jobId: string) {
  return queries
    .selectFrom('agent_job_feedback as link')
    .innerJoin('feedback as entry', 'entry.id', 'link.feedback_id')
    .select(['entry.id', 'entry.path', 'entry.source', 'entry.status', 'entry.comment'])
    .where('link.job_id', '=', jobId)
    .where('entry.project_id', '=', projectId)
    .orderBy('entry.id', 'desc')
    .execute()
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}
