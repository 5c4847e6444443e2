/**
 * Self-review: before a change is published, the whole change is shown to the agent once, in the same form as
 * to reviewers.
 */

import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import type { ChangeCheck } from '../check/check-change.ts'
import type { CodeReference, RiskNote } from '../operations/agent-review.ts'
import { type Run, updateRun } from '../turn-context.ts'
import { requestSelfReview, shortened } from '../turn-store.ts'

/** Minimum budget for a self-review: with less, its corrections could not be completed. */
const MIN_STEPS = 5
const MIN_SHARE = 0.15
/** Maximum characters of the task, and maximum number of risk notes, that the review message repeats. */
const MAX_TASK_CHARACTERS = 4000
const MAX_NOTES = 20

/** Returns true if the turn continues: the agent reviews the change and finishes again. */
export async function startSelfReview(
  run: Run,
  { diff, risks }: Pick<ChangeCheck, 'diff' | 'risks'>,
): Promise<boolean> {
  if (!run.looksAgain || run.job.is_reviewed || run.workspace.changes.size === 0 || diff === null)
    return false
  if (!hasRoom(run)) return false
  const message = {
    role: 'user',
    text: selfReviewMessage(
      { task: run.prompt.text, diff, references: run.said.finish?.references ?? [] },
      risks?.notes ?? [],
    ),
  } as const
  await updateRun(run, (tx) => requestSelfReview(tx, run.held, message))
  run.messages.push(message)
  run.said.finish = null
  return true
}

function hasRoom({ job, caps, clock }: Run): boolean {
  return (
    caps.steps - job.steps >= MIN_STEPS &&
    caps.tokens - job.turn_tokens >= caps.tokens * MIN_SHARE &&
    clock.leftMs() >= caps.minutes * 60_000 * MIN_SHARE
  )
}

export function selfReviewMessage(
  { task, diff, references }: { task: string; diff: string; references: readonly CodeReference[] },
  risks: readonly RiskNote[],
): string {
  const claims = references.map(({ claim, quote }) => `- ${claim}: ${quote ?? ''}`)
  const notes = risks
    .slice(0, MAX_NOTES)
    .map(
      ({ kind, path, line, what }) =>
        `- ${kind} in ${`${path}${line === null ? '' : `:${line}`}`}: ${shortened(what, 200)}`,
    )
  return [
    'The check found no new problems. Before people review the change, review it once yourself. Does it do everything that was asked for, and nothing else? Is each statement supported by the task, the docs or the site’s files? Are names, numbers, commands and links correct, and does the wording fit the site?',
    quoteUntrusted('task', shortened(task, MAX_TASK_CHARACTERS)),
    quoteUntrusted('change', diff),
    ...(notes.length === 0 ? [] : [quoteUntrusted('risks', notes.join('\n'))]),
    ...(claims.length === 0
      ? []
      : [
          'You reported that code supports these statements. Only the existence of each quotation was checked. Remove from `references` every statement that its quotation does not support.',
          quoteUntrusted('references', claims.join('\n')),
        ]),
    'Fix what is wrong, then call `finish` with a report on all your work in this turn, and list in its summary what you found but could not fix. If nothing is wrong, call `finish` at once with the same report as before.',
  ].join('\n\n')
}
