/** The check before publishing: what it finds goes back to the model, a bounded number of times. */
import type { AgentEvent } from '../contract/agent.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { Problem } from '../contract/problem.ts'
import { saveManifest } from '../render/versions/site-versions.ts'
import { publishValues } from './publish-values.ts'
import { type Run, write } from './run.ts'
import { lookAgain } from './self-review.ts'
import { addEvents, jobEvent, updateHeld } from './store.ts'
import { reopenTurn, shortened } from './turn-store.ts'

/** How often problems go back to the model. */
const MAX_ROUNDS = 3
const SHOWN_PROBLEMS = 50

/** True when the change may be published; the row then stands at `publish`. Throws PermanentError after the last round. */
export async function checkRound(run: Run): Promise<boolean> {
  const { problems, before, after, risks, diff } = await run.tools.checkChange()
  const round = run.job.check_rounds + 1
  const event = checkEvent(problems, round)
  if (problems.length > 0) {
    if (round > MAX_ROUNDS) throw new PermanentError('change_refused', failureSentence(problems))
    await sendBack(run, problems, event)
    return false
  }
  if (await lookAgain(run, { diff, risks })) return false
  const { objects } = run.deps
  const beforeKey = before === null ? null : await saveManifest(objects, before)
  const afterKey = after === null ? null : await saveManifest(objects, after)
  await write(run, async (tx) => {
    const row = await updateHeld(tx, run.held, {
      ...publishValues(run, run.job.title ?? '', risks),
      before_manifest: beforeKey,
      after_manifest: afterKey,
    })
    await addEvents(tx, run.held.id, [event, jobEvent(row)])
    return row
  })
  return true
}

async function sendBack(run: Run, problems: readonly Problem[], event: AgentEvent): Promise<void> {
  const message = { role: 'user', text: messageText(problems) } as const
  await write(run, (tx) => reopenTurn(tx, run.held, message, [event]))
  run.messages.push(message)
  run.said.finish = null
}

function messageText(problems: readonly Problem[]): string {
  const lines = problems
    .slice(0, SHOWN_PROBLEMS)
    .map((problem) => `- ${problemLine(problem)} ${problem.remedy}`)
  const left = problems.length - lines.length
  return [
    'The check before publishing found problems that your change brought. Nothing was published. Mend them, then call `finish` again:',
    ...lines,
    ...(left > 0 ? [`…and ${left} more; use \`check\` to see them.`] : []),
  ].join('\n')
}

function failureSentence(problems: readonly Problem[]): string {
  const shown = problems.slice(0, 10).map(problemLine).join(' ')
  const more = problems.length > 10 ? ` And ${problems.length - 10} more.` : ''
  return `The change has problems that the model could not mend in ${MAX_ROUNDS} rounds, so nothing was published: ${shown}${more}`
}

export function problemLine({ file, line, message }: Problem): string {
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
