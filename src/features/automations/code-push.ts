/** Describes a push to a code repository to a job: the changes, and the statements in the docs that depend on them. */

import { sql } from 'kysely'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import type { OutsideText } from '../../database/schema/agent.ts'
import type { CodeComparison } from '../statements/compare-code.ts'
import { describeChange } from '../statements/describe.ts'
import { type Cause, emptyCause, maskText } from './cause.ts'
import { pageAddresses } from './changed-pages.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

export type CodeTrigger = Extract<AutomationTrigger, { kind: 'code_push' }>
type Compared = Extract<CodeComparison, { kind: 'compared' }>

/** Maximum numbers: statements reported to a job, then changes per statement, then characters per line. */
const MAX_STATEMENTS = 100
const MAX_CHANGES = 3
const MAX_LINE = 400

export interface CodeChange {
  cause: Cause
  /** Whether any page depends on the changed code. */
  hasPages: boolean
}

/** All pushes to a repository share a topic, because their pull requests would change the same pages. */
export function codeTopic({ repository }: Pick<CodeTrigger, 'repository'>): string {
  return `code ${repository}`
}

/** Creates a manual run whose job compares the code with the last documented commit. */
export async function createManualCause(tx: Tx, trigger: CodeTrigger, row: AutomationRow): Promise<Cause> {
  const documented = await documentedCommit(tx, trigger, row)
  const { repository } = trigger
  const text =
    documented === null
      ? `No run of this automation has documented the code repository ${repository} yet. Compare the pages with its current code.`
      : `The pages were last updated for commit ${documented} of the code repository ${repository}. Compare the current code with that commit (diff_code, from ${documented}).`
  return {
    ...emptyCause(codeTopic(trigger)),
    externalTexts: [{ what: 'the commit to compare the code with', text }],
    code: row.seen_code,
  }
}

/** Returns the commit of the newest run whose job completed and whose pull request was not declined. */
async function documentedCommit(
  tx: Tx,
  { repository }: CodeTrigger,
  { id, project_id: projectId }: AutomationRow,
): Promise<string | null> {
  const { rows } = await sql<{ commit: string }>`
    SELECT run.code->>'commit' AS commit
    FROM automation_runs AS run
    JOIN agent_jobs AS job ON job.id = run.job_id
    JOIN code_repositories AS code ON code.project_id = ${projectId} AND code.name = ${repository}
    WHERE run.automation_id = ${id} AND run.code->>'of' = code.repository || ' ' || coalesce(code.ref, '')
      AND job.status <> 'active' AND job.error IS NULL AND job.unfinished IS NULL
      AND job.pull_request_state IS DISTINCT FROM 'closed'
    ORDER BY run.created_at DESC, run.id DESC LIMIT 1`.execute(tx)
  return rows[0]?.commit ?? null
}

export function describeCodeChange(trigger: CodeTrigger, compared: Compared): CodeChange {
  const statements = compared.statements.filter(({ page }) =>
    pageAddresses(page).some((address) => matchesAny(trigger.pages ?? [], address)),
  )
  const externalTexts = [
    describeFiles(trigger, compared),
    ...(statements.length > 0
      ? [{ what: STATEMENTS_DESCRIPTION, text: describeStatements(statements) }]
      : []),
  ]
  const cause = { ...emptyCause(codeTopic(trigger)), externalTexts, code: compared.seen }
  return { cause, hasPages: statements.length > 0 }
}

const STATEMENTS_DESCRIPTION =
  'the statements in the docs that depend on the changed code, each with the old and the new line; those that the change may have made false come first'

function describeFiles({ repository }: CodeTrigger, { from, seen, changed, total }: Compared): OutsideText {
  const lines = changed.map(({ path, added, removed }) =>
    added === null ? path : `${path} (+${added} −${removed})`,
  )
  const remaining = total - lines.length
  return {
    what: `the changes in the code repository ${repository} from commit ${from} to commit ${seen.commit}`,
    text: maskText([...lines, ...(remaining > 0 ? [`and ${remaining} more files`] : [])].join('\n')),
  }
}

type ChangedStatement = Parameters<typeof describeChange>[0] & { page: string; line: number; text: string }

/** Lists each statement, followed by the changes to the code that it depends on. */
export function describeStatements(statements: readonly ChangedStatement[]): string {
  const found = Map.groupBy(statements, ({ page, line, text }) => `${page}:${line}: ${text}`)
  const entries = [...found].map(([statement, changes]) =>
    [statement, ...new Set(changes.slice(0, MAX_CHANGES).flatMap(describeChange))]
      .map((part) => part.slice(0, MAX_LINE))
      .join('\n'),
  )
  const shown = entries.slice(0, MAX_STATEMENTS)
  const rest = entries.length - shown.length
  return maskText([...shown, ...(rest > 0 ? [`and ${rest} more statements`] : [])].join('\n\n'))
}
