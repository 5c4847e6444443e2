/** Starts an agent job: creates the row, prompt and queue job in the caller's transaction. */

import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../base/errors/fault.ts'
import { createId } from '../../base/ids.ts'
import type { Tx } from '../../database/database.ts'
import type { Queue } from '../../queue/queue.ts'
import type { AskedQuestion } from '../assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../feedback/operations/feedback.ts'
import type { FeedbackAccess, QuestionAccess } from './loop/feedback-access.ts'
import type { AgentChoice, AgentJob, CreateAgentJobBody } from './operations/agent.ts'
import { type AgentSetup, modelNameFor } from './setup.ts'
import type { JobOrigin } from './store.ts'
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
 * Throws AppError `not_found`, `model_unavailable`, or `invalid_request` for feedback and questions of
 * another project.
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
    // The name of the default branch is unknown until the first fetch.
    ref: project.ref ?? project.default_branch ?? 'HEAD',
    model: body.model ?? model,
    effort: body.effort ?? null,
    startedBy: caller.id,
    origin,
  })
  const externalTexts = origin?.externalTexts ?? []
  await insertPrompt(tx, id, { prompt: body.prompt, feedback, questions, externalTexts, askedBy: caller.id })
  await linkFeedback(tx, id, feedback)
  await linkQuestions(tx, id, questions)
  await addEvents(tx, id, [jobEvent(row)])
  await enqueueRun(deps, tx, id)
  return toAgentJob(row)
}

/** Only allowed models and efforts can be requested, because the organization pays for them. */
function choiceFaults(
  { models = [], efforts = [] }: AgentChoice,
  usual: string,
  { model, effort }: CreateAgentJobBody,
): Fault[] {
  const allowed = [...new Set([usual, ...models])]
  return [
    ...(model === undefined || allowed.includes(model)
      ? []
      : [faultAt('/model', 'choice_not_allowed', { values: allowed })]),
    ...(effort === undefined || efforts.includes(effort)
      ? []
      : [
          efforts.length === 0
            ? faultAt('/effort', 'no_effort_allowed')
            : faultAt('/effort', 'choice_not_allowed', { values: efforts }),
        ]),
  ]
}

/** Creates the queue job that processes the row; an earlier queue job loses its lease. */
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
    // Waits for a concurrent operation that archives the project, since archiving ends only the jobs that it finds.
    .forKeyShare()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  if (project.archived_at !== null) throw new AppError('project_archived')
  return project
}

/** Sets the feedback entries to in progress. Throws AppError `invalid_request`. */
export async function claimFeedback(
  deps: Pick<StartJobDeps, 'feedback'>,
  tx: Tx,
  { caller, projectId, jobId }: { caller: AgentCaller; projectId: string; jobId: string },
  feedbackIds: readonly string[],
): Promise<FeedbackEntry[]> {
  if (feedbackIds.length === 0) return []
  const actor = caller.id
  const note = `Addressed by agent job ${jobId}.`
  const { entries, missing } = await deps.feedback.claim(tx, { projectId, feedbackIds, actor, note })
  if (missing.length > 0) throw createUnknownIdsError('/feedbackIds', missing)
  await refuseClaimedFeedback(tx, jobId, feedbackIds)
  return entries
}

/** Rejects entries of another open job, because both jobs would address them. The caller has locked the entries. */
async function refuseClaimedFeedback(tx: Tx, jobId: string, feedbackIds: readonly string[]): Promise<void> {
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
    ...createFault('feedback_claimed', { entry, id }),
    field,
  }))
  if (details.length > 0) throw new AppError('invalid_request', { details })
}

/** Links the entries to the job, and restores the links of entries that an earlier turn had released. */
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
  if (found.missing.length > 0) throw createUnknownIdsError('/questionIds', found.missing)
  return found.questions
}

async function linkQuestions(tx: Tx, jobId: string, questions: readonly AskedQuestion[]): Promise<void> {
  if (questions.length === 0) return
  const links = questions.map(({ id }) => ({ job_id: jobId, question_id: id }))
  await tx.insertInto('agent_job_questions').values(links).execute()
}

function createUnknownIdsError(field: string, ids: readonly string[]): AppError {
  const details = ids.map((id) => faultAt(field, 'unknown_id', { id }))
  return new AppError('invalid_request', { details })
}
