/**
 * From a checked change to a recorded pull request. Each part has a name of its own in the world outside and is looked
 * for before it is made: the commit is the same in every attempt, the branch is pushed only from where it was, the pull
 * request is found by its branch.
 */
import { sql } from 'kysely'
import type { FeedbackEntry } from '../contract/feedback.ts'
import type { PullRequest } from '../git/forge.ts'
import { RowLostError } from '../queue/lease.ts'
import { findOtherChanges, meeting } from './other-changes.ts'
import { commitMessage, type RequestText, requestBody, requestTitle } from './request-text.ts'
import { reviewLink } from './review-token.ts'
import { patiently, type Run } from './run.ts'
import {
  addEvents,
  completeJob,
  type JobRow,
  type JobValues,
  jobEvent,
  jobRows,
  updateHeld,
} from './store.ts'
import { endPrompt } from './turn-store.ts'

/** Seconds until the pull request is looked at for the first time. */
const FIRST_LOOK_SECONDS = 30

/** True when another prompt waits. Rejects with GitError or ForgeError when the world refuses. */
export async function publish(run: Run): Promise<boolean> {
  if (run.workspace.changes.size === 0) return await endTurn(run, {})
  const text = await requestText(run)
  const commit = await commitChange(run, text)
  await pushBranch(run, commit)
  const request = await openRequest(run, text)
  return await record(run, commit, request)
}

/** The turn ends without anything to publish. */
export async function endTurn(
  run: Pick<Run, 'deps' | 'held' | 'prompt'>,
  values: JobValues,
): Promise<boolean> {
  let hasNext = false
  await run.deps.database.transaction(async (tx) => {
    // First the row, whose lock keeps messages from coming in between.
    const row = await updateHeld(tx, run.held, {
      ...values,
      phase: 'work',
      finished_at: null,
      base_commit: null,
      stopped: sql<string | null>`unfinished`,
    })
    await tx.deleteFrom('agent_job_changes').where('job_id', '=', run.held.id).execute()
    hasNext = await endPrompt(tx, run.held.id, run.prompt.number)
    if (hasNext) await addEvents(tx, run.held.id, [jobEvent(row)])
    else await completeJob(tx, run.held)
  })
  return hasNext
}

async function requestText(run: Run): Promise<RequestText> {
  const { job, deps, workspace, model } = run
  const prompts = await deps.database.queries
    .selectFrom('agent_job_prompts')
    .select(['prompt', 'feedback', 'questions'])
    .where('job_id', '=', job.id)
    .where('number', '<=', run.prompt.number)
    .orderBy('number')
    .execute()
  return {
    jobId: job.id,
    model: model.name,
    title: job.title ?? '',
    summary: job.summary ?? '',
    reasons: job.reasons,
    changes: workspace.changedFiles(),
    prompts: prompts.map(({ prompt }) => prompt),
    feedback: prompts.flatMap(({ feedback }): FeedbackEntry[] => feedback),
    questions: prompts.flatMap(({ questions }) => questions),
    unfinished: job.unfinished,
    meets: meeting(await findOtherChanges(deps.database.queries, job), new Set(workspace.changes.keys())),
    jobLink: `${deps.publicUrl()}/v2/agent/${job.project_id}/job/${job.id}`,
    previewLink: reviewLink(deps, job.id),
  }
}

async function commitChange(run: Run, text: RequestText): Promise<string> {
  const { job, repository, workspace, deps } = run
  if (job.base_commit === null || job.finished_at === null) throw new Error('there is nothing to commit on')
  return await repository.writeCommit(
    {
      parent: job.base_commit,
      changes: workspace.changes,
      message: commitMessage(text),
      author: deps.author,
      at: job.finished_at,
    },
    run.signal,
  )
}

/** A push that is on its way is not called back: it could arrive without anybody knowing. */
async function pushBranch(run: Run, commit: string): Promise<void> {
  const { repository, signal, serverSignal } = run
  const { branch, expected } = branchOf(run)
  await patiently(
    run,
    'the repository',
    async () => {
      await requireHeld(run)
      await repository.pushBranch({ branch, commit, expected }, serverSignal)
    },
    signal,
  )
}

/** Where the branch stands before this push: nowhere in the first turn, else at the commit that this one lies on. */
function branchOf({ job }: Run): { branch: string; expected: string | null } {
  if (job.branch === null) throw new Error('the change has no branch')
  return { branch: job.branch, expected: job.pushed_commit === null ? null : job.base_commit }
}

/** Nor is a request that is on its way. */
async function openRequest(run: Run, text: RequestText): Promise<PullRequest> {
  const { job, forge, signal, serverSignal } = run
  const branches = { branch: branchOf(run).branch, target: job.ref }
  return await patiently(
    run,
    'the forge',
    async () => {
      const found = await forge.findPullRequest(branches, signal)
      const words = { title: requestTitle(text), body: requestBody(text) }
      if (found === null) {
        await requireHeld(run)
        const isDraft = job.unfinished !== null
        return await forge.createPullRequest({ ...branches, ...words, isDraft }, serverSignal)
      }
      if (found.state === 'open') await forge.updatePullRequest(found.id, words, signal)
      return found
    },
    signal,
  )
}

/** What is done in the world outside is not undone: a job that was cancelled just now does nothing more there. */
async function requireHeld({ deps, held }: Run): Promise<void> {
  if (!(await jobRows.isHeld(deps.database.queries, held)))
    throw new RowLostError('the job was cancelled or taken over')
}

async function record(run: Run, commit: string, request: PullRequest): Promise<boolean> {
  const { job, repository } = run
  const files = await repository.changedFiles(job.origin_commit ?? commit, commit, run.signal)
  return await endTurn(run, {
    pushed_commit: commit,
    files_changed: files.length,
    ...requestValues(job, request),
  })
}

export function requestValues(job: JobRow, { id, link, state }: PullRequest): JobValues {
  return {
    pull_request_id: id,
    pull_request_link: job.pull_request_link ?? link,
    pull_request_state: state,
    look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${FIRST_LOOK_SECONDS})`,
  }
}
