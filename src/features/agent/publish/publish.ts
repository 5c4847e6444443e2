/**
 * Publishes a checked change as a pull request. Every step is idempotent, because it first looks for the result of an
 * earlier attempt: the commit is the same in every attempt, the branch is pushed only from its expected tip, and the
 * pull request is found by its branch.
 */
import { sql } from 'kysely'
import { toStorable } from '../../../base/text/storable.ts'
import { ForgeError, type PullRequest } from '../../../git/forges/forge.ts'
import { GitError } from '../../../git/git-error.ts'
import { RowLostError } from '../../../queue/lease.ts'
import { readJobReport } from '../loop/turn-account.ts'
import { settleFeedback } from '../resolve-feedback.ts'
import { toCommitChanges } from '../review/change-content.ts'
import { reviewLink } from '../review/review-token.ts'
import {
  addEvents,
  completeJob,
  type JobRow,
  type JobValues,
  jobEvent,
  jobRows,
  readJob,
  updateLeased,
} from '../store.ts'
import { type Run, updateRun } from '../turn-context.ts'
import { endPrompt, shortened } from '../turn-store.ts'
import { retryUntilAvailable } from '../wait-for-service.ts'
import { findCommitSigner } from './commit-key.ts'
import { findStartCommit, isOver } from './open-base.ts'
import { findOtherChanges, findOverlapping } from './other-changes.ts'
import { syncRequestState } from './pull-requests.ts'
import {
  commitMessage,
  mergeBody,
  type Person,
  type RequestText,
  requestBody,
  requestTitle,
} from './request-text.ts'
import { openWholeChange, readOriginals } from './whole-change.ts'
import type { FileChange } from './workspace.ts'

/** Seconds until the first check of the pull request's state. */
const FIRST_CHECK_SECONDS = 30

/** Maximum length of the notice about settings that the forge rejected, in characters. */
const MAX_NOTICE_CHARACTERS = 1500

/** `moved`: the branch or the pull request changed in the meantime, so that the change must be rebased. */
export type Published = 'ended' | 'next' | 'moved'

/** Returns `next` when another prompt waits. Rejects with GitError or ForgeError if a remote server fails. */
export async function publish(run: Run): Promise<Published> {
  const isMerge = run.workspace.changes.size === 0
  if (isMerge && (run.job.merged_commit === null || isOver(run.job)) && !endsDraft(run.job))
    return await finishTurn(run, {})
  run.job = await run.timed('forge', () => refreshRequest(run))
  // The pull request was merged or closed after the check, as found by the query above or by the poll of pull requests.
  if (isOver(run.job)) return await reopenOnNewBase(run)
  const isFollowUp = run.job.pull_request_state === 'open'
  const text = await requestText(run)
  const commit = isMerge ? (run.job.base_commit ?? '') : await run.timed('commit', () => commitChange(run))
  if (!(await run.timed('push', () => pushBranch(run, commit)))) return await reopenOnNewBase(run)
  const request = await run.timed('forge', () => openRequestWithExtras(run, text))
  if (request.state !== 'open' && isFollowUp) {
    await refreshRequest(run)
    return await reopenOnNewBase(run)
  }
  return await run.timed('record', () => record(run, commit, request))
}

async function refreshRequest(run: Run): Promise<JobRow> {
  return await retryUntilAvailable(
    run,
    'the forge',
    () => syncRequestState(run.deps, run.job, run.signal),
    run.signal,
  )
}

async function openRequestWithExtras(run: Run, text: RequestText): Promise<PullRequest> {
  const request = await openRequest(run, text)
  await addExtras(run, request)
  return request
}

/** Moves the change to a new base: the turn is reopened on top of the new commits. */
async function reopenOnNewBase(run: Run): Promise<Published> {
  await updateRun(run, async (tx) => {
    const row = await updateLeased(tx, run.held, {
      phase: 'work',
      kept_commit: sql<string | null>`base_commit`,
      base_commit: null,
    })
    await addEvents(tx, run.held.id, [jobEvent(row)])
    return row
  })
  return 'moved'
}

async function finishTurn(run: Run, values: JobValues): Promise<Published> {
  return (await endTurn(run, values)) ? 'next' : 'ended'
}

export async function endTurn(
  run: Pick<Run, 'deps' | 'held' | 'prompt'>,
  values: JobValues,
): Promise<boolean> {
  let hasNext = false
  await run.deps.database.transaction(async (tx) => {
    // Lock the row first, so that no message arrives in between.
    const row = await updateLeased(tx, run.held, {
      ...values,
      phase: 'work',
      finished_at: null,
      base_commit: null,
      stopped: sql<string | null>`unfinished`,
      // Makes the pull request due for a poll, which sends the replies to reviewers' comments to the forge.
      ...(run.prompt.comments.length > 0 && { look_at: sql<Date>`clock_timestamp()` }),
    })
    await tx.deleteFrom('agent_job_changes').where('job_id', '=', run.held.id).execute()
    hasNext = await endPrompt(tx, run.held.id, run.prompt.number)
    if (hasNext) await addEvents(tx, run.held.id, [jobEvent(row)])
    else await settleFeedback(run.deps.feedback, tx, await completeJob(tx, run.held))
  })
  return hasNext
}

async function requestText(run: Run): Promise<RequestText> {
  const { job, deps, model, repository, workspace, signal } = run
  const changes = await listAllChanges(repository, job, workspace, signal)
  return {
    jobId: job.id,
    model: model.name,
    account: await readJobReport(deps.database.queries, job, run.prompt.number),
    changes,
    risks: job.risks ?? [],
    isAllRisk: job.is_all_risk,
    unfinished: job.unfinished,
    checks: job.checks,
    past: job.past_requests,
    meets: findOverlapping(
      await findOtherChanges(deps.database.queries, job),
      new Set(changes.map(({ path }) => path)),
    ),
    jobLink: `${deps.publicUrl()}/p/${job.project_id}/agent/${job.id}`,
    previewLink: reviewLink(deps, job),
  }
}

async function listAllChanges(
  repository: Run['repository'],
  job: JobRow,
  workspace: Run['workspace'],
  signal: AbortSignal,
): Promise<FileChange[]> {
  const from = findStartCommit(job)
  const to = job.base_commit ?? ''
  const originals = await readOriginals(repository, { from, to }, signal)
  return openWholeChange(workspace, originals).changedFiles()
}

/** Commits the change. After conflicts this is also the merge commit; conflict markers are never pushed. */
async function commitChange(run: Run): Promise<string> {
  const { job, repository, workspace, deps, commits } = run
  if (job.base_commit === null || job.finished_at === null) throw new Error('there is no commit to build on')
  const { queries } = deps.database
  const signer = await findCommitSigner(deps, queries, job.project_id)
  const trailers = { signedOffBy: commits.signsOff ? commits.author : null, coAuthors: await findAskers(run) }
  return await repository.writeCommit(
    {
      parent: job.base_commit,
      ...(job.merged_commit !== null &&
        job.pushed_commit !== null && { parents: [job.pushed_commit, job.merged_commit] }),
      changes: toCommitChanges(workspace.changes),
      message: commitMessage({
        jobId: job.id,
        title: job.title ?? '',
        summary: job.summary ?? '',
        ...trailers,
      }),
      author: commits.author,
      at: job.finished_at,
      sign: signer ?? undefined,
    },
    run.signal,
  )
}

/** Returns the members whose prompts led to the change, if the project names them in commits. */
async function findAskers({ deps, job, prompt, commits }: Run): Promise<Person[]> {
  if (!commits.namesAskers) return []
  return await deps.database.queries
    .selectFrom('agent_job_prompts as asked')
    .innerJoin('users', 'users.id', 'asked.asked_by')
    .select(['users.name', 'users.email'])
    .distinct()
    .where('asked.job_id', '=', job.id)
    .where('asked.number', '<=', prompt.number)
    .orderBy('users.email')
    .execute()
}

/**
 * Returns false if the branch was moved by someone else. A push in progress is not cancelled, because it could still
 * arrive without being recorded.
 */
async function pushBranch(run: Run, commit: string): Promise<boolean> {
  const { repository, signal, serverSignal } = run
  const { branch, expected } = findBranch(run)
  const push = async () => {
    await requireLease(run)
    await repository.pushBranch({ branch, commit, expected }, serverSignal)
  }
  try {
    await retryUntilAvailable(run, 'the repository', push, signal)
    return true
  } catch (error) {
    if (error instanceof GitError && error.reason === 'branch_moved') return false
    throw error
  }
}

function findBranch({ job }: Run): { branch: string; expected: string | null } {
  if (job.branch === null) throw new Error('the change has no branch')
  return { branch: job.branch, expected: job.pushed_commit }
}

/**
 * Creates or updates the pull request. A request in progress is not cancelled, since its outcome would be unknown.
 */
async function openRequest(run: Run, text: RequestText): Promise<PullRequest> {
  const { job, forge, signal, serverSignal } = run
  const branches = { branch: findBranch(run).branch, target: job.ref }
  return await retryUntilAvailable(
    run,
    'the forge',
    async () => {
      const found = await forge.findPullRequest(branches, signal)
      const words = { title: requestTitle(text), body: requestBody(text) }
      if (found === null) {
        await requireLease(run)
        const isUnfinished = isUnready(job)
        const isDraft = isUnfinished || run.requests.drafts
        // Drafts requested in the project's settings stay drafts until someone marks them as ready.
        await rememberRequest(run, words, isUnfinished && !run.requests.drafts)
        return await forge.createPullRequest({ ...branches, ...words, isDraft }, serverSignal)
      }
      if (found.state === 'open') await updateRequestText(run, found, words)
      return found
    },
    signal,
  )
}

/** Adds reviewers and labels once per pull request, even after a crash. Failures do not affect the pull request. */
async function addExtras(run: Run, { id, state }: PullRequest): Promise<void> {
  const { forge, job, requests, signal } = run
  const { addToPullRequest } = forge
  if (job.pull_request_id !== null || state !== 'open' || addToPullRequest === undefined) return
  if (requests.reviewers.length === 0 && requests.labels.length === 0) return
  const adding = retryUntilAvailable(run, 'the forge', () => addToPullRequest(id, requests, signal), signal)
  const faults = await adding.catch((error: unknown) => {
    if (!(error instanceof ForgeError)) throw error
    return [`The forge rejected the reviewers and labels. ${error.message}`]
  })
  if (faults.length === 0) return
  const text = shortened(faults.join(' '), MAX_NOTICE_CHARACTERS)
  await run.deps.database.transaction((tx) =>
    addEvents(tx, run.held.id, [{ type: 'notice', data: { text } }]),
  )
}

/**
 * Preserves edits made on the forge: a title that differs from the one sent, and text around our part of the body.
 */
async function updateRequestText(
  run: Run,
  found: PullRequest,
  words: { title: string; body: string },
): Promise<void> {
  const { job, forge, signal } = run
  const { title = '', body = '' } = found.text ?? {}
  const isTheirs = job.sent_title !== null && !isSameTitle(title, job.sent_title)
  const isReady = job.made_draft && !isUnready(job)
  const before = isReady ? '' : draftTitle(title)
  const next = {
    title: before + (isTheirs ? title.replace(DRAFT_PREFIX, '') : words.title),
    body: mergeBody(body, words.body),
  }
  await forge.updatePullRequest(found.id, next, signal)
  if (isReady) await endDraft(run, found.id)
  if (!isTheirs || isReady)
    await rememberRequest(
      run,
      isTheirs ? { ...words, title: job.sent_title ?? '' } : words,
      job.made_draft && !isReady,
    )
}

/** Returns whether the turn marks the draft of an earlier turn as ready, even without changes. */
function endsDraft(job: JobRow): boolean {
  return job.made_draft && job.pull_request_state === 'open' && !isUnready(job)
}

/** Returns whether a change must not be merged yet, because a limit ended the turn early, or every file is a risk. */
function isUnready({ unfinished, is_all_risk }: JobRow): boolean {
  return unfinished !== null || is_all_risk
}

/** Failures are ignored: reviewers can mark the draft as ready themselves. */
async function endDraft({ forge, job, log, signal }: Run, id: string): Promise<void> {
  try {
    await forge.markReadyForReview?.(id, signal)
  } catch (error) {
    if (!(error instanceof ForgeError) || error.isTemporary) throw error
    log.warn({ jobId: job.id, error: error.message }, 'agent.draft_stays')
  }
}

/** Title prefix that marks a draft on two kinds of forges. */
const DRAFT_PREFIX = /^(?:draft|wip):\s*/i

function isSameTitle(a: string, b: string): boolean {
  const plain = (title: string) => title.replace(DRAFT_PREFIX, '').replace(/\s+/g, ' ').trim()
  return plain(a) === plain(b)
}

function draftTitle(title: string): string {
  return DRAFT_PREFIX.exec(title)?.[0] ?? ''
}

/** Stores the text before sending it, so that it is recognized even if the response is lost. */
async function rememberRequest(
  run: Run,
  { title, body }: { title: string; body: string },
  isDraft: boolean,
): Promise<void> {
  const values = { sent_title: title, sent_body: body, made_draft: isDraft }
  await updateRun(run, (tx) => updateLeased(tx, run.held, values))
}

/** Throws if the job was cancelled or taken over, because external actions cannot be undone. */
async function requireLease({ deps, held }: Run): Promise<void> {
  if (!(await jobRows.isLeased(deps.database.queries, held)))
    throw new RowLostError('the job was cancelled or taken over')
}

async function record(run: Run, commit: string, request: PullRequest): Promise<Published> {
  const { job, repository } = run
  const origin = findStartCommit(job)
  const isFirst = origin === job.base_commit
  const files = isFirst
    ? run.workspace.changedFiles()
    : await repository.changedFiles(origin ?? commit, commit, run.signal)
  const outcome = await finishTurn(run, {
    pushed_commit: commit,
    origin_commit: origin,
    merged_commit: null,
    merge_base: null,
    files_changed: files.length,
    published_files: JSON.stringify(toStorable(files.map(({ path }) => path))),
    ...requestValues(job, { ...request, state: 'open' }),
  })
  // An earlier attempt created this pull request, which has been merged or closed since.
  if (request.state !== 'open') {
    await syncRequestState(run.deps, await readJob(run.deps.database.queries, job.id), run.signal)
  }
  return outcome
}

export function requestValues(job: JobRow, { id, link, state }: PullRequest): JobValues {
  return {
    pull_request_id: id,
    pull_request_link: job.pull_request_link ?? link,
    current_link: link,
    pull_request_state: state,
    look_at: sql<Date>`clock_timestamp() + make_interval(secs => ${FIRST_CHECK_SECONDS})`,
  }
}
