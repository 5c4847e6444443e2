/**
 * Queue job agent.run: works through the prompts of one job, each with a conversation, a check and a pull request.
 */

import { sql } from 'kysely'
import { jobErrorCode } from '../../base/errors/job-errors.ts'
import { PermanentError } from '../../base/errors/permanent-error.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { isDiskFull } from '../../base/files/disk-full.ts'
import { ProcessLimitError } from '../../base/process-limit-error.ts'
import { toStorableText } from '../../base/text/storable.ts'
import { ForgeError } from '../../git/forges/forge.ts'
import { GitError, MissingObjectError } from '../../git/git-error.ts'
import { ModelError } from '../../model/model.ts'
import { boundPassed } from '../../queue/attempt-position.ts'
import type { JobContext } from '../../queue/job-handler.ts'
import type { Jobs } from '../../queue/jobs.ts'
import { MAX_ATTEMPTS } from '../../queue/jobs.ts'
import { RowLostError } from '../../queue/lease.ts'
import type { RowLease } from '../../queue/leased-rows.ts'
import { checkEvent, checkRound, formatProblem } from './check/check-round.ts'
import { publishValues } from './check/publish-values.ts'
import { settleFeedback } from './job-feedback.ts'
import { runAgentLoop } from './loop/agent-loop.ts'
import { UnfinishedError } from './loop/budget.ts'
import { openTurn } from './loop/open-turn.ts'
import { openingMessage } from './loop/opening-message.ts'
import { UNFINISHED } from './loop/turn-account.ts'
import { isOver } from './publish/open-base.ts'
import { endTurn, publish } from './publish/publish.ts'
import { recordStopped } from './record-stopped.ts'
import type { Run, RunDeps } from './run.ts'
import { updateRun } from './run.ts'
import {
  addEvents,
  countAttempt,
  type JobRow,
  jobEvent,
  jobRows,
  recordAttemptEnd,
  tellQuestion,
  updateHeld,
} from './store.ts'
import { beginTurn, endPrompt, nextPrompt, type Prompt, saveChanges, shortened } from './turn-store.ts'

const SHOWN_PROBLEMS = 20

const MAX_TITLE = 80

/** Maximum number of consecutive attempts that started but saved nothing. */
const MAX_IDLE_ATTEMPTS = 12
/** Number of such attempts after which the job runs alone in its process, so that no other job can be the cause. */
const MAX_SHARED_IDLE_ATTEMPTS = 2
/** Number of times that a change is rebased onto commits that others pushed to its branch meanwhile. */
const MAX_MOVES = 5

/**
 * Throws errors that a later attempt may resolve; others end the row as `failed`. An attempt that has lost its row
 * only records what has reached the forge.
 */
export async function runAgentJob(
  deps: RunDeps,
  { jobId }: Jobs['agent.run'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held: RowLease = { id: jobId, queueJobId: context.jobId, attempt: context.attempt }
  const job = await jobRows.claim(queries, held)
  if (job === undefined) return await recordStopped(deps, jobId, context)
  if (!(await runTurns(deps, held, job, context))) await recordStopped(deps, jobId, context)
}

/** Returns false when the job did not complete: it failed, was cancelled, or was taken over. */
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
        'The work stopped again and again at the same place. The log of the server has the reason.',
      )
    while (await runTurn(deps, held, { ...context, signal: row.signal }, context.signal));
    return true
  } catch (error) {
    if (error instanceof RowLostError || row.signal.reason instanceof RowLostError) return false
    if (row.signal.aborted || !isFinalError(error, job)) {
      const passed = boundPassed(error)
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

/** Returns true when another prompt waits. */
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

/** Starts again on top of commits that others pushed in the meantime. Returns true when another prompt waits. */
async function workAndPublish(
  deps: RunDeps,
  start: Parameters<typeof openTurn>[1],
  context: JobContext,
): Promise<boolean> {
  for (let time = 1; time <= MAX_MOVES; time++) {
    const job = time === 1 ? start.job : await readJob(deps, start.held)
    await using turn = await context.timed('open', () => openTurn(deps, { ...start, job }, context))
    if (turn.run.job.phase === 'work') await runWork(turn.run)
    if (turn.run.job.question !== null) return await rest(turn.run, turn.run.job.question)
    const outcome = await publish(turn.run)
    if (outcome !== 'moved') return outcome === 'next'
  }
  throw new PermanentError(
    'branch_gone',
    `The branch of this job was moved by others ${MAX_MOVES} times while its change was to be published. Send a message when it rests: the change is kept.`,
  )
}

async function startTurn({ database }: RunDeps, held: RowLease, prompt: Prompt): Promise<JobRow> {
  if (!prompt.isStarted)
    return await database.transaction((tx) => beginTurn(tx, held, prompt, openingMessage))
  return await readJob({ database }, held)
}

async function readJob({ database }: Pick<RunDeps, 'database'>, held: RowLease): Promise<JobRow> {
  return await database.queries
    .selectFrom('agent_jobs')
    .selectAll()
    .where('id', '=', held.id)
    .executeTakeFirstOrThrow()
}

/** The API accepts blank prompts; nothing is done for them. */
function isBlank({ text, feedback, questions }: Prompt): boolean {
  return text.trim() === '' && feedback.length + questions.length === 0
}

/** Ends with a change that passed the check, with an unfinished one, or without a change. */
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
    await wrapUp(run, error)
  }
}

/** The row stays active without a worker until a message comes. True when one waits already. */
async function rest({ deps, held, prompt }: Run, question: string): Promise<boolean> {
  return await deps.database.transaction(async (tx) => {
    const row = await updateHeld(tx, held, {})
    const hasNext = await endPrompt(tx, held.id, prompt.number)
    if (hasNext) await updateHeld(tx, held, { question: null })
    else await tellQuestion(tx, row, question)
    return hasNext
  })
}

/** Conflicts must be resolved even in a turn that changes nothing else. */
function hasNoChanges({ workspace, job }: Run): boolean {
  return workspace.changes.size === 0 && job.conflicts.length === 0
}

/** A repository's local copy may be recreated while a job reads it; a later attempt then succeeds. */
function isLocalCopyError(error: GitError, job: JobRow): boolean {
  return error instanceof MissingObjectError && job.idle_attempts < MAX_ATTEMPTS - 1
}

/**
 * Whether no later attempt can resolve the error, so that its message is meant for the person who started the job.
 */
function isFinalError(error: unknown, job: JobRow): error is Error {
  if (isDiskFull(error)) return false // space will be freed
  return (
    // The first attempt has saved something; each of the others has only been counted.
    (error instanceof ProcessLimitError && job.idle_attempts >= MAX_ATTEMPTS - 1) ||
    error instanceof PermanentError ||
    error instanceof ModelError ||
    (error instanceof GitError && !isLocalCopyError(error, job)) ||
    error instanceof ForgeError
  )
}

// A turn that ends early: its changes so far are published as a draft that names what is missing.

/** The row then has the phase `publish`. Throws `end` itself when there is nothing to publish. */
async function wrapUp(run: Run, end: UnfinishedError): Promise<void> {
  if (run.workspace.changes.size === 0) throw end
  const { problems, risks, before, after } = await run.tools.checkChange()
  const known = buildAccount(run)
  const title = known.title ?? createTitle(run.prompt.text)
  const unfinished = toStorableText(describeMissing(run, end, problems))
  await updateRun(run, async (tx) => {
    const row = await updateHeld(tx, run.held, {
      ...publishValues(run, title, { risks, checks: null }),
      title,
      summary: known.summary ?? 'The agent came to no account of its work.',
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

/** The report on a merged or closed pull request does not apply to the next one. */
function buildAccount({ job }: Run): Pick<JobRow, 'title' | 'summary'> {
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
      ? 'Its list does not say what is left: compare the change with what was asked for.'
      : `On its list and not done:\n\n${open.join('\n')}`,
    found.length === 0
      ? 'The check of the site found no new problem.'
      : `The check of the site found:\n\n${found.join('\n')}${remaining > 0 ? `\n- and ${remaining} more` : ''}`,
    'A message to the job goes on from here.',
  ]
  return parts.join('\n\n')
}
