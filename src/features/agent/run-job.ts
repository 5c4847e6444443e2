/**
 * Queue job agent.run: processes the prompts of one job. Each has a conversation, a check and a pull request.
 */

import { sql } from 'kysely'
import { jobErrorCode, PermanentError } from '../../base/errors/permanent-error.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { isDiskFull } from '../../base/files/disk-full.ts'
import { ProcessLimitError } from '../../base/process-limit-error.ts'
import { toStorableText } from '../../base/text/storable.ts'
import { ForgeError } from '../../git/forges/forge.ts'
import { GitError, MissingObjectError } from '../../git/git-error.ts'
import { ModelError } from '../../model/model.ts'
import { toLimitFailure } from '../../queue/count-attempts.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import type { Jobs } from '../../queue/job-settings.ts'
import { MAX_ATTEMPTS } from '../../queue/job-settings.ts'
import { RowLostError } from '../../queue/lease.ts'
import type { RowLease } from '../../queue/leased-rows.ts'
import { checkEvent, checkRound, formatProblem } from './check/check-round.ts'
import { buildPublishValues } from './check/publish-values.ts'
import { openingMessage } from './code/quote-readers.ts'
import { runAgentLoop } from './loop/agent-loop.ts'
import { UnfinishedError } from './loop/budget.ts'
import { openTurn } from './loop/open-turn.ts'
import { UNFINISHED } from './loop/turn-account.ts'
import { isOver } from './publish/open-base.ts'
import { endTurn, publish } from './publish/publish.ts'
import { recordStoppedJob } from './record-stopped.ts'
import { settleFeedback } from './resolve-feedback.ts'
import {
  addEvents,
  countAttempt,
  type JobRow,
  jobEvent,
  jobRows,
  notifyQuestion,
  readJob,
  recordAttemptEnd,
  updateLeased,
} from './store.ts'
import type { Run, RunDeps } from './turn-context.ts'
import { updateRun } from './turn-context.ts'
import { beginTurn, endPrompt, nextPrompt, type Prompt, saveChanges, shortened } from './turn-store.ts'

const SHOWN_PROBLEMS = 20
const MAX_TITLE = 80

/** Maximum number of consecutive attempts that save nothing. */
const MAX_IDLE_ATTEMPTS = 12
/** Number of idle attempts after which the job runs alone in its process, unaffected by other jobs. */
const MAX_SHARED_IDLE_ATTEMPTS = 2
/** Maximum number of times that a change is rebased onto commits pushed to its branch in the meantime. */
const MAX_REBASES = 5

/**
 * Throws errors that a later attempt may resolve; any other error sets the row to `failed`. An attempt that
 * has lost its row only records the commits and pull request that have reached the forge.
 */
export async function runAgentJob(
  deps: RunDeps,
  { jobId }: Jobs['agent.run'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held: RowLease = { id: jobId, queueJobId: context.jobId, attempt: context.attempt }
  const job = await jobRows.claim(queries, held)
  if (job === undefined) return await recordStoppedJob(deps, jobId, context)
  if (!(await runTurns(deps, held, job, context))) await recordStoppedJob(deps, jobId, context)
}

/** Returns false if the job failed, was cancelled or was taken over by another worker. */
async function runTurns(
  deps: RunDeps,
  held: RowLease,
  claimed: JobRow,
  context: JobContext,
): Promise<boolean> {
  const { queries } = deps.database
  await using row = deps.watchHeld(context.signal, held)
  let job = claimed
  try {
    const mode = job.idle_attempts < MAX_SHARED_IDLE_ATTEMPTS ? 'shared' : 'alone'
    using _turn = await deps.turns.enter(mode, row.signal)
    job = await countAttempt(queries, held)
    if (job.idle_attempts > MAX_IDLE_ATTEMPTS)
      throw new PermanentError(
        'worker_lost',
        'The job stopped repeatedly at the same point. See the server log for the reason.',
      )
    while (await runTurn(deps, held, { ...context, signal: row.signal }, context.signal));
    return true
  } catch (error) {
    if (error instanceof RowLostError || row.signal.reason instanceof RowLostError) return false
    if (row.signal.aborted || !isFinalError(error, job)) {
      const passed = toLimitFailure(error)
      if (passed !== null) await recordAttemptEnd(queries, held, passed)
      throw error
    }
    const end = { error: error.message, code: jobErrorCode(error) }
    context.log.info({ jobId: held.id, ...end }, 'agent.failed')
    await deps.database.transaction(async (tx) => {
      const failed = await jobRows.fail(tx, held, end)
      if (failed !== undefined) await settleFeedback(deps.feedback, tx, failed)
    })
    return false
  }
}

/** Returns true if another prompt is waiting. */
async function runTurn(
  deps: RunDeps,
  held: RowLease,
  context: JobContext,
  serverSignal: AbortSignal,
): Promise<boolean> {
  const prompt = await nextPrompt(deps.database.queries, held.id)
  if (prompt === null) throw new Error('an active job has no prompt')
  const job = await startTurn(deps, held, prompt)
  if (isBlank(prompt)) return await endTurn({ deps, held, prompt }, {})
  return await workAndPublish(deps, { held, job, prompt, serverSignal }, context)
}

/** Starts again if others have pushed commits in the meantime. Returns true if another prompt is waiting. */
async function workAndPublish(
  deps: RunDeps,
  start: Parameters<typeof openTurn>[1],
  context: JobContext,
): Promise<boolean> {
  for (let time = 1; time <= MAX_REBASES; time++) {
    const job = time === 1 ? start.job : await readJob(deps.database.queries, start.held.id)
    await using turn = await context.timed('open', () => openTurn(deps, { ...start, job }, context))
    if (turn.run.job.phase === 'work') await runWork(turn.run)
    if (turn.run.job.question !== null) return await pauseForAnswer(turn.run, turn.run.job.question)
    const outcome = await publish(turn.run)
    if (outcome !== 'moved') return outcome === 'next'
  }
  throw new PermanentError(
    'branch_gone',
    `The branch of this job was changed by others ${MAX_REBASES} times while its change was being published. Send a message when the branch is stable. The change is retained.`,
  )
}

async function startTurn({ database }: RunDeps, held: RowLease, prompt: Prompt): Promise<JobRow> {
  if (!prompt.isStarted)
    return await database.transaction((tx) => beginTurn(tx, held, prompt, openingMessage))
  return await readJob(database.queries, held.id)
}

/** The API accepts blank prompts; they are skipped. */
function isBlank({ text, feedback, questions }: Prompt): boolean {
  return text.trim() === '' && feedback.length + questions.length === 0
}

async function runWork(run: Run): Promise<void> {
  try {
    let isDone = false
    while (!isDone) {
      await runAgentLoop(run)
      if (run.job.question !== null) return
      isDone = hasNoChanges(run) || (await checkRound(run))
    }
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof UnfinishedError)) throw error
    await publishUnfinishedWork(run, error)
  }
}

/** Leaves the row active without a worker until a message arrives. Returns true if one is already waiting. */
async function pauseForAnswer({ deps, held, prompt }: Run, question: string): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    const row = await updateLeased(tx, held, {})
    const hasNext = await endPrompt(tx, held.id, prompt.number)
    if (hasNext) await updateLeased(tx, held, { question: null })
    else await notifyQuestion(tx, row, question)
    return hasNext
  })
}

/** Conflicts must be resolved even in a turn that changes nothing else. */
function hasNoChanges({ workspace, job }: Run): boolean {
  return workspace.changes.size === 0 && job.conflicts.length === 0
}

/** The local copy may be recreated while a job reads it, so a missing object is an error worth retrying. */
function isLocalCopyError(error: GitError, job: JobRow): boolean {
  return error instanceof MissingObjectError && job.idle_attempts < MAX_ATTEMPTS - 1
}

/** Returns true if no later attempt can resolve the error; its message is then shown to the user. */
function isFinalError(error: unknown, job: JobRow): error is Error {
  if (isDiskFull(error)) return false // a later attempt may find free space
  return (
    // One less than MAX_ATTEMPTS, because the first attempt saved something and was not counted as idle.
    (error instanceof ProcessLimitError && job.idle_attempts >= MAX_ATTEMPTS - 1) ||
    error instanceof PermanentError ||
    error instanceof ModelError ||
    (error instanceof GitError && !isLocalCopyError(error, job)) ||
    error instanceof ForgeError
  )
}

/**
 * Ends the turn early: publishes the changes so far as a draft that lists the remaining work. The row then
 * has the phase `publish`. Throws `end` if there is nothing to publish.
 */
async function publishUnfinishedWork(run: Run, end: UnfinishedError): Promise<void> {
  if (run.workspace.changes.size === 0) throw end
  const { problems, risks, before, after } = await run.tools.checkChange()
  const known = pickTitleAndSummary(run)
  const title = known.title ?? createTitle(run.prompt.text)
  const unfinished = toStorableText(describeMissing(run, end, problems))
  await updateRun(run, async (tx) => {
    const row = await updateLeased(tx, run.held, {
      ...buildPublishValues(run, title, { risks, checks: null }),
      title,
      summary: known.summary ?? 'The agent did not finish with a report.',
      unfinished,
      finished_at: sql`clock_timestamp()`,
      before_manifest: before,
      after_manifest: after,
    })
    await saveChanges(tx, run.held.id, run.workspace.changes)
    await addEvents(tx, run.held.id, [checkEvent(problems, row.check_rounds + 1), jobEvent(row)])
    return row
  })
}

/** Drops the title and summary of a merged or closed pull request, which do not apply to the next one. */
function pickTitleAndSummary({ job }: Run): Pick<JobRow, 'title' | 'summary'> {
  return isOver(job) && job.finished_at === null ? { title: null, summary: null } : job
}

function createTitle(prompt: string): string {
  const line = prompt.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return toStorableText(UNFINISHED + shortened(line, MAX_TITLE))
}

function describeMissing({ said }: Run, end: UnfinishedError, problems: readonly Problem[]): string {
  const open = said.plan.filter(({ state }) => state !== 'done').map(({ text }) => `- ${text}`)
  const found = problems.slice(0, SHOWN_PROBLEMS).map((problem) => `- ${formatProblem(problem)}`)
  const remaining = problems.length - found.length
  const parts = [
    end.message,
    open.length === 0
      ? 'Its plan does not list the remaining work: compare the change with the request.'
      : `Planned but not done:\n\n${open.join('\n')}`,
    found.length === 0
      ? 'The check of the site found no new problems.'
      : `The check of the site found:\n\n${found.join('\n')}${remaining > 0 ? `\n- and ${remaining} more` : ''}`,
    'Send a message to the job to continue.',
  ]
  return parts.join('\n\n')
}
