/** Updates the feedback assigned to a job when the job ends: resolves addressed entries, and releases the others. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../database/database.ts'
import type { FeedbackAccess } from './loop/feedback-access.ts'
import type { JobRow } from './store.ts'

/** After a merge, resolves the entries that the change addresses, each with its answer, and releases the rest. */
export async function resolveAnsweredFeedback(
  feedbackAccess: FeedbackAccess,
  tx: Tx,
  job: JobRow,
  by: string,
): Promise<void> {
  const links = await tx
    .selectFrom('agent_job_feedback')
    .select(['feedback_id', 'answer'])
    .where('job_id', '=', job.id)
    .orderBy('feedback_id')
    .execute()
  for (const { feedback_id: id, answer } of links) {
    if (answer === null) continue
    await feedbackAccess.resolve(tx, {
      projectId: job.project_id,
      feedbackIds: [id],
      actor: `agent:${job.id}`,
      note: `${answer}. The pull request of agent job ${job.id} was merged by ${by}: ${job.current_link ?? job.pull_request_link}`,
    })
  }
  await releaseFeedback(feedbackAccess, tx, job, `Agent job ${job.id} did not answer it.`)
}

/** After a job has ended, reopens the entries that no change on the forge addresses. */
export async function settleFeedback(feedbackAccess: FeedbackAccess, tx: Tx, job: JobRow): Promise<void> {
  if (job.status === 'active') return
  const isOut = job.pull_request_state === 'open' || job.pull_request_state === 'merged'
  if (isOut) return await releaseFeedback(feedbackAccess, tx, job, `Agent job ${job.id} did not answer it.`)
  const reason = job.status === 'completed' ? 'ended without an answer to it' : 'did not finish'
  if (job.pull_request_state === null)
    await releaseFeedback(feedbackAccess, tx, job, `Agent job ${job.id} ${reason}.`, true)
}

async function releaseFeedback(
  feedbackAccess: FeedbackAccess,
  tx: Tx,
  job: Pick<JobRow, 'id' | 'project_id'>,
  note: string,
  isAll = false,
): Promise<void> {
  const rows = await tx
    .updateTable('agent_job_feedback')
    .set({ given_back_at: sql`clock_timestamp()` })
    .where('job_id', '=', job.id)
    .where('given_back_at', 'is', null)
    .$if(!isAll, (query) => query.where('answer', 'is', null))
    .returning('feedback_id')
    .execute()
  if (rows.length === 0) return
  const feedbackIds = rows.map(({ feedback_id: id }) => id)
  await feedbackAccess.release(tx, { projectId: job.project_id, feedbackIds, actor: `agent:${job.id}`, note })
}

const BATCH_SIZE = 50

/**
 * Settles the feedback of jobs whose worker could not do so: jobs that were cancelled, archived, or ended together with
 * their last worker.
 */
export async function settleAbandonedFeedback(
  feedbackAccess: FeedbackAccess,
  database: Database,
): Promise<void> {
  await database.transaction(async (tx) => {
    const jobs = await tx
      .selectFrom('agent_jobs as job')
      .selectAll('job')
      .where('job.status', '<>', 'active')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('agent_job_feedback as link')
            .select('link.job_id')
            .whereRef('link.job_id', '=', 'job.id')
            .where('link.given_back_at', 'is', null)
            .where(({ or, eb }) =>
              or([
                eb('job.pull_request_state', 'is', null),
                eb.and([eb('link.answer', 'is', null), eb('job.pull_request_state', '<>', 'closed')]),
              ]),
            ),
        ),
      )
      .limit(BATCH_SIZE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const job of jobs) await settleFeedback(feedbackAccess, tx, job)
  })
}
