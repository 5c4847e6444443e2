/**
 * Starts an agent job: creates row, prompt and queue job in the caller's transaction; the work runs in the
 * background.
 */

import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { Tx } from '../../database/database.ts'
import type { Queue } from '../../queue/queue.ts'
import type { AskedQuestion } from '../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../feedback/operations/feedback.ts'
import type { JobOrigin } from './job-origin.ts'
import type { FeedbackAccess } from './loop/feedback-access.ts'
import type { QuestionAccess } from './loop/question-access.ts'
import type { AgentChoice, AgentJob, CreateAgentJobBody } from './operations/agent.ts'
import { type AgentSetup, modelNameFor } from './setup.ts'
import { addEvents, insertJob, jobEvent, toAgentJob } from './store.ts'
import { insertPrompt } from './turn-store.ts'

export interface StartJobDeps {
  queue: Pick<Queue, 'enqueue'>
  agent: AgentSetup
  feedback: FeedbackAccess
  questions: QuestionAccess
}

export interface AgentCaller {
  organizationId: string
  id: string
}

/**
 * Throws AppError `not_found`, `model_unavailable`, `invalid_request` for feedback and questions that do not belong
 * to this project.
 */
export async function startAgentJob(
  deps: StartJobDeps,
  tx: Tx,
  caller: AgentCaller,
  projectId: string,
  body: CreateAgentJobBody,
  origin: JobOrigin | null = null,
): Promise<AgentJob> {
  const { organizationId } = caller
  const project = await findProject(tx, organizationId, projectId)
  const model = modelNameFor(deps.agent, {
    ...(project.agent as AgentChoice),
    ...(origin?.model && { model: origin.model }),
  })
  if (model === null) throw new AppError('model_unavailable')
  assertNoFaults(choiceFaults(project.agent, model, body))

  const id = createId('aj')
  const feedback = await claimFeedback(deps, tx, { caller, projectId, jobId: id }, body.feedbackIds ?? [])
  const questions = await findQuestions(deps, tx, projectId, body.questionIds ?? [])
  const row = await insertJob(tx, {
    id,
    organizationId,
    projectId,
    repository: project.repository,
    // The name of the default branch is unknown before the first fetch.
    ref: project.ref ?? project.default_branch ?? 'HEAD',
    model: body.model ?? model,
    effort: body.effort ?? null,
    startedBy: caller.id,
    origin,
  })
  const told = origin?.told ?? []
  await insertPrompt(tx, id, { prompt: body.prompt, feedback, questions, told, askedBy: caller.id })
  await linkFeedback(tx, id, feedback)
  await linkQuestions(tx, id, questions)
  await addEvents(tx, id, [jobEvent(row)])
  await enqueueRun(deps, tx, id)
  return toAgentJob(row)
}

/** Requires that the model and effort of the request are allowed, since the organization pays for them. */
function choiceFaults(
  { models = [], efforts = [] }: AgentChoice,
  usual: string,
  { model, effort }: CreateAgentJobBody,
): Fault[] {
  const allowed = [...new Set([usual, ...models])]
  return [
    ...(model === undefined || allowed.includes(model)
      ? []
      : [faultAt('/model', `must be one of those that the project allows to jobs: ${allowed.join(', ')}`)]),
    ...(effort === undefined || efforts.includes(effort)
      ? []
      : [
          faultAt(
            '/effort',
            efforts.length === 0
              ? 'cannot be chosen: the project allows no efforts to jobs'
              : `must be one of those that the project allows to jobs: ${efforts.join(', ')}`,
          ),
        ]),
  ]
}

/** Creates the queue job that works on the row from now on; an earlier one loses the row. */
export async function enqueueRun(deps: Pick<StartJobDeps, 'queue'>, tx: Tx, jobId: string): Promise<void> {
  const { organization_id: organizationId, project_id: projectId } = await tx
    .selectFrom('agent_jobs')
    .select(['organization_id', 'project_id'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  const queueJobId = await deps.queue.enqueue(tx, 'agent.run', { jobId }, { organizationId, projectId })
  await tx
    .updateTable('agent_jobs')
    .set({ queue_job_id: queueJobId, queue_attempt: 0, idle_attempts: 0 })
    .where('id', '=', jobId)
    .execute()
}

async function findProject(tx: Tx, organizationId: string, projectId: string) {
  const project = await tx
    .selectFrom('projects')
    .select(['repository', 'ref', 'default_branch', 'agent', 'archived_at'])
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    // Orders this against archiving, which ends the jobs that it finds.
    .forKeyShare()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  if (project.archived_at !== null) throw new AppError('project_archived')
  return project
}

/** Sets the entries to in progress. Throws AppError `invalid_request`. */
export async function claimFeedback(
  deps: Pick<StartJobDeps, 'feedback'>,
  tx: Tx,
  { caller, projectId, jobId }: { caller: AgentCaller; projectId: string; jobId: string },
  feedbackIds: readonly string[],
): Promise<FeedbackEntry[]> {
  if (feedbackIds.length === 0) return []
  const actor = caller.id
  const note = `Taken up by agent job ${jobId}.`
  const { entries, missing } = await deps.feedback.claim(tx, { projectId, feedbackIds, actor, note })
  if (missing.length > 0) throw createUnknownIdsError('/feedbackIds', 'feedback', missing)
  await refuseClaimed(tx, jobId, feedbackIds)
  return entries
}

/** An entry can be in one open job only: two would answer it twice. The caller has locked the entries. */
async function refuseClaimed(tx: Tx, jobId: string, feedbackIds: readonly string[]): Promise<void> {
  const claimed = await tx
    .selectFrom('agent_job_feedback as link')
    .innerJoin('agent_jobs as job', 'job.id', 'link.job_id')
    .select(['link.feedback_id', 'job.id'])
    .where('link.feedback_id', 'in', [...feedbackIds])
    .where('link.given_back_at', 'is', null)
    .where('job.id', '<>', jobId)
    .where('job.status', '=', 'active')
    .execute()
  const field = '/feedbackIds'
  const details = claimed.map(({ feedback_id: entry, id }) => ({
    message: `\`${field}\`: ${entry} is in the job ${id}, which is at work: wait for it, or send it a message.`,
    field,
  }))
  if (details.length > 0) throw new AppError('invalid_request', { details })
}

/** Entries that an earlier turn returned are linked again. */
export async function linkFeedback(tx: Tx, jobId: string, feedback: readonly FeedbackEntry[]): Promise<void> {
  if (feedback.length === 0) return
  const links = feedback.map(({ id }) => ({ job_id: jobId, feedback_id: id }))
  await tx
    .insertInto('agent_job_feedback')
    .values(links)
    .onConflict((conflict) =>
      conflict.columns(['job_id', 'feedback_id']).doUpdateSet({ answer: null, given_back_at: null }),
    )
    .execute()
}

async function findQuestions(
  { questions }: StartJobDeps,
  tx: Tx,
  projectId: string,
  questionIds: readonly string[],
): Promise<AskedQuestion[]> {
  if (questionIds.length === 0) return []
  const found = await questions.find(tx, { projectId, questionIds })
  if (found.missing.length > 0) throw createUnknownIdsError('/questionIds', 'question', found.missing)
  return found.questions
}

async function linkQuestions(tx: Tx, jobId: string, questions: readonly AskedQuestion[]): Promise<void> {
  if (questions.length === 0) return
  const links = questions.map(({ id }) => ({ job_id: jobId, question_id: id }))
  await tx.insertInto('agent_job_questions').values(links).execute()
}

function createUnknownIdsError(field: string, noun: string, ids: readonly string[]): AppError {
  const details = ids.map((id) => ({ message: `\`${field}\`: this project has no ${noun} ${id}.`, field }))
  return new AppError('invalid_request', { details })
}
