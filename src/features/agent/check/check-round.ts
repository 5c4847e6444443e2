/** The check before publishing. Its problems go back to the model for a limited number of rounds. */

import { PermanentError } from '../../../base/errors/permanent-error.ts'
import type { Problem } from '../../../base/errors/problem.ts'
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { UnfinishedError } from '../loop/budget.ts'
import { checkAddresses } from '../loop/check-addresses.ts'
import { startSelfReview } from '../loop/self-review.ts'
import type { AgentEvent } from '../operations/agent.ts'
import type { CheckedAddresses, NewAddress } from '../operations/agent-review.ts'
import { addEvents, jobEvent, updateLeased } from '../store.ts'
import { type Run, updateRun } from '../turn-context.ts'
import { reopenTurn, shortened } from '../turn-store.ts'
import type { ChangeCheck } from './check-change.ts'
import { checkWithVale } from './prose/vale-program.ts'
import { buildPublishValues } from './publish-values.ts'

const MAX_ROUNDS = 3
const SHOWN_PROBLEMS = 50
/** Number of problems listed in the error that ends a job. */
const MAX_REPORTED_PROBLEMS = 10

/**
 * Returns true when the change may be published; the row then has the phase `publish`. Throws UnfinishedError after
 * the last round.
 */
export async function checkRound(run: Run): Promise<boolean> {
  const { before, after, risks, diff, addresses, ...checked } = await run.timed('check', () =>
    run.tools.checkChange(),
  )
  const { problems, prose } = await addValeProblems(run, checked)
  const round = run.job.check_rounds + 1
  const event = checkEvent(problems, round)
  if (problems.length > 0) {
    if (round > MAX_ROUNDS) throw createConflictError(run, problems)
    await reportProblemsToModel(run, problems, event)
    return false
  }
  // Comes before the requests to other sites, because these would be repeated if the self-review starts another round.
  if (await startSelfReview(run, { diff, risks })) return false
  const links = run.asksAddresses ? await checkNewAddresses(run, addresses) : null
  const dead = toLinkProblems(links)
  if (dead.length > 0 && run.hasReportedDeadLinks !== true && round < MAX_ROUNDS) {
    run.hasReportedDeadLinks = true
    await reportProblemsToModel(run, dead, checkEvent(dead, round))
    return false
  }
  await updateRun(run, async (tx) => {
    const row = await updateLeased(tx, run.held, {
      ...buildPublishValues(run, run.job.title ?? '', { risks, checks: { prose, links } }),
      before_manifest: before,
      after_manifest: after,
    })
    await addEvents(tx, run.held.id, [event, jobEvent(row)])
    return row
  })
  return true
}

async function addValeProblems(
  { deps, workspace, signal }: Run,
  { problems, prose }: Pick<ChangeCheck, 'problems' | 'prose'>,
): Promise<Pick<ChangeCheck, 'problems' | 'prose'>> {
  if (deps.vale === null || prose === null) return { problems, prose }
  const sides = { before: workspace.base, after: workspace.tree, changes: workspace.changedFiles() }
  const found = await checkWithVale(deps.vale, sides, signal)
  if (found === null) return { problems, prose }
  const { rules, undone } = found
  return { problems: [...problems, ...found.problems], prose: { ...prose, rules, undone } }
}

/** Waiting for other sites does not count as working time. */
async function checkNewAddresses(run: Run, addresses: readonly NewAddress[]): Promise<CheckedAddresses> {
  using _away = run.clock.pause()
  return await checkAddresses(run.deps.guardedFetch, addresses, run.signal)
}

function toLinkProblems(links: CheckedAddresses | null): Problem[] {
  return (links?.dead ?? []).map(({ url, file, line, status }) => ({
    file,
    line,
    code: 'link.dead',
    level: 'warning',
    message: `${url} returns ${status}: the page does not exist.`,
    remedy:
      'Correct the URL, or remove the link. Keep it only if the task contains it. Reviewers are then informed that it is broken.',
  }))
}

async function reportProblemsToModel(
  run: Run,
  problems: readonly Problem[],
  event: AgentEvent,
): Promise<void> {
  const message = { role: 'user', text: problemsMessage(problems) } as const
  await updateRun(run, (tx) => reopenTurn(tx, run.held, message, [event]))
  run.messages.push(message)
  run.said.finish = null
}

export function problemsMessage(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, SHOWN_PROBLEMS)
    .map((problem) => `- ${formatProblem(problem)} ${problem.remedy}`)
  const remaining = problems.length - lines.length
  return [
    'The check before publishing found problems caused by your change, so nothing was published. Fix them, then call `finish` again:',
    quoteUntrusted('problems', lines.join('\n')),
    ...(remaining > 0 ? [`There are ${remaining} more. List them with \`check\`.`] : []),
  ].join('\n')
}

/** A change with unresolved conflicts is not published, not even as a draft. */
function createConflictError({ job, workspace }: Run, problems: readonly Problem[]): PermanentError {
  const sentence = `The change has problems that the model could not fix in ${MAX_ROUNDS} rounds`
  if (job.conflicts.length === 0 && workspace.changes.size > 0)
    return new UnfinishedError('change_refused', `${sentence}.`)
  const shown = problems.slice(0, MAX_REPORTED_PROBLEMS)
  const remaining = problems.length - shown.length
  const lines = [
    `${sentence}, so nothing was published:`,
    ...shown.map((problem) => `- ${formatProblem(problem)} ${problem.remedy}`),
    ...(remaining > 0 ? [`…and ${remaining} more.`] : []),
  ]
  return new PermanentError('change_refused', lines.join('\n'))
}

export function formatProblem({ file, line, message }: Problem): string {
  return `${file}${line === null ? '' : `:${line}`}: ${shortened(message, 300)}`
}

export function checkEvent(problems: readonly Problem[], round: number): AgentEvent {
  return {
    type: 'check',
    data: {
      passed: problems.length === 0,
      round,
      problems: problems
        .slice(0, SHOWN_PROBLEMS)
        .map(({ file, line, message }) => ({ path: file, line, message: shortened(message, 300) })),
    },
  }
}
