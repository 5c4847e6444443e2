/** The budget of a turn, which every tool result reports to the model, and the errors thrown when it is exhausted. */
import { PermanentError } from '../../../base/errors/permanent-error.ts'
import { contentSize } from '../review/change-content.ts'
import type { Run } from '../turn-context.ts'
import { plural } from './result-text.ts'
import type { JobCaps } from './tool.ts'

/**
 * Ends a turn before its work is done. Its change is published as a draft that lists the remaining work; without a
 * change, the turn fails.
 */
export class UnfinishedError extends PermanentError {
  override name = 'UnfinishedError'
}

export function createTimeLimitError({ minutes }: JobCaps): UnfinishedError {
  return createBudgetError(plural(minutes, 'minute'))
}

function createBudgetError(limit: string): UnfinishedError {
  return new UnfinishedError('limit_reached', `The job reached its limit of ${limit} before it was done.`)
}

/** Throws UnfinishedError when the budget is exhausted. */
export function checkBudget({ job, caps }: Run): void {
  if (job.steps >= caps.steps) throw createBudgetError(plural(caps.steps, 'step'))
  if (job.turn_tokens >= caps.tokens) throw createBudgetError(`${count(caps.tokens)} tokens`)
}

/** Remaining share of a limit, or number of steps, at which the model is asked to finish. */
const SCARCE_SHARE = 0.1
const SCARCE_STEPS = 3

/** `tokens` is the usage of the current step, which is not saved yet. */
export function describeBudget(run: Run, tokens: number): string {
  const { job, caps, clock, workspace } = run
  const steps = caps.steps - job.steps - 1
  const remaining = Math.max(0, caps.tokens - job.turn_tokens - tokens)
  const minutes = clock.leftMs() / 60_000
  let bytes = 0
  for (const content of workspace.changes.values()) bytes += contentSize(content)
  const files = workspace.changes.size
  const isScarce =
    steps <= Math.max(SCARCE_STEPS, caps.steps * SCARCE_SHARE) ||
    remaining < caps.tokens * SCARCE_SHARE ||
    minutes < caps.minutes * SCARCE_SHARE
  const end = isScarce
    ? ' Finish now: leave the files in a consistent state, call `finish`, and list what is missing in the summary.'
    : ''
  return `(Remaining in this turn: ${plural(Math.max(0, steps), 'step')}, ${count(remaining)} tokens, ${plural(Math.floor(minutes), 'minute')}, ${plural(Math.max(0, caps.files - files), 'file')}, ${count(Math.max(0, caps.bytes - bytes))} bytes of changed files.${end})`
}

const NUMBER = new Intl.NumberFormat('en-GB')

function count(number: number): string {
  return NUMBER.format(number)
}
