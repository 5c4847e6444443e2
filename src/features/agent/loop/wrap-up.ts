/** The end of a budget: what is changed by then is published as a draft that says what is missing. */
import { sql } from 'kysely'
import type { Problem } from '../../../base/errors/problem.ts'
import { storableText } from '../../../base/text/storable.ts'
import { checkEvent, problemLine } from '../check/check-round.ts'
import { publishValues } from '../check/publish-values.ts'
import { isOver } from '../publish/open-base.ts'
import { type Run, write } from '../run.ts'
import { addEvents, type JobRow, jobEvent, updateHeld } from '../store.ts'
import { saveChanges, shortened } from '../turn-store.ts'
import type { BudgetEndError } from './budget.ts'
import { UNFINISHED } from './turn-account.ts'

const SHOWN_PROBLEMS = 20
const TITLE = 80

/** The row then stands at `publish`. Throws the end itself when there is nothing to publish. */
export async function wrapUp(run: Run, end: BudgetEndError): Promise<void> {
  if (run.workspace.changes.size === 0) throw end
  const { problems, risks, before, after } = await run.tools.checkChange()
  const known = accountOf(run)
  const title = known.title ?? titleOf(run.prompt.text)
  const unfinished = storableText(missingText(run, end, problems))
  await write(run, async (tx) => {
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

/** What was said of a pull request that is merged or closed is not said of the next one. */
function accountOf({ job }: Run): Pick<JobRow, 'title' | 'summary'> {
  return isOver(job) && job.finished_at === null ? { title: null, summary: null } : job
}

function titleOf(prompt: string): string {
  const line = prompt.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return storableText(UNFINISHED + shortened(line, TITLE))
}

function missingText({ said }: Run, end: BudgetEndError, problems: readonly Problem[]): string {
  const open = said.plan.filter(({ state }) => state !== 'done').map(({ text }) => `- ${text}`)
  const found = problems.slice(0, SHOWN_PROBLEMS).map((problem) => `- ${problemLine(problem)}`)
  const left = problems.length - found.length
  const parts = [
    end.message,
    open.length === 0
      ? 'Its list does not say what is left: compare the change with what was asked for.'
      : `On its list and not done:\n\n${open.join('\n')}`,
    found.length === 0
      ? 'The check of the site found no new problem.'
      : `The check of the site found:\n\n${found.join('\n')}${left > 0 ? `\n- and ${left} more` : ''}`,
    'A message to the job goes on from here.',
  ]
  return parts.join('\n\n')
}
