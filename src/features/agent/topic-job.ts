/** Finds the open job of an automation for a topic, to which further events are sent as messages. */
import type { Tx } from '../../database/database.ts'
import { type AgentCaller, claimFeedback, linkFeedback, type StartJobDeps } from './start-job.ts'
import { reactivateJob } from './steer-job.ts'
import type { JobOrigin, JobRow } from './store.ts'
import { insertPrompt } from './turn-store.ts'

const MAX_WAITING = 10

/** Finds a job that is active or has an open pull request; locks its row until the transaction ends. */
export async function findTopicJob(
  tx: Tx,
  { automationId, topic }: Pick<JobOrigin, 'automationId' | 'topic'>,
): Promise<JobRow | undefined> {
  return await tx
    .selectFrom('agent_jobs')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('topic', '=', topic)
    .where('status', '!=', 'archived')
    .where(({ or, eb }) => or([eb('status', '=', 'active'), eb('pull_request_state', '=', 'open')]))
    .orderBy('created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export interface TopicMessage {
  prompt: string
  externalTexts: JobOrigin['externalTexts']
  feedbackIds: readonly string[]
}

/**
 * Returns false if MAX_WAITING messages are already waiting. Ignores a message equal to a waiting one. Throws
 * AppError `invalid_request` for feedback of another project.
 */
export async function messageTopicJob(
  deps: Pick<StartJobDeps, 'queue' | 'feedback'>,
  tx: Tx,
  caller: AgentCaller,
  job: JobRow,
  { prompt, externalTexts, feedbackIds }: TopicMessage,
): Promise<boolean> {
  const waitingPrompts = await tx
    .selectFrom('agent_job_prompts')
    .select(['prompt', 'told', 'asked_by'])
    .where('job_id', '=', job.id)
    .where('started_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
  const isCovered = waitingPrompts.some(
    (one) =>
      one.asked_by === caller.id &&
      one.prompt === prompt &&
      JSON.stringify(one.told) === JSON.stringify(externalTexts),
  )
  if (isCovered && feedbackIds.length === 0) return true
  if (waitingPrompts.length >= MAX_WAITING) return false
  const claimContext = { caller, projectId: job.project_id, jobId: job.id }
  const feedback = await claimFeedback(deps, tx, claimContext, feedbackIds)
  await insertPrompt(tx, job.id, { prompt, feedback, questions: [], externalTexts, askedBy: caller.id })
  await linkFeedback(tx, job.id, feedback)
  await reactivateJob(deps, tx, job)
  return true
}
