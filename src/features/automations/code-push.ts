/** Relates a push to a code repository to the docs: finds the pages that mention what changed. */

import { sql } from 'kysely'
import { matchesAny } from '../../base/text/path-pattern.ts'
import type { Tx } from '../../database/database.ts'
import type { OutsideText } from '../../database/schema/agent.ts'
import type { CodeComparison } from '../agent/code/stale-pages.ts'
import { type Cause, emptyCause, maskedText } from './cause.ts'
import { pageAddresses } from './changed-pages.ts'
import type { AutomationTrigger } from './operations/automation-triggers.ts'
import type { AutomationRow } from './store.ts'

export type CodeTrigger = Extract<AutomationTrigger, { kind: 'code_push' }>
type Compared = Extract<CodeComparison, { kind: 'compared' }>

/** Maximum number of pages reported to a job, followed by that of files. */
const MAX_PAGES = 40
const MAX_FILES = 60

export interface CodeChange {
  cause: Cause
  /** Whether any page mentions what changed. */
  hasPages: boolean
}

/** All pushes to one repository share a topic, because their pull requests would change the same pages. */
export function codeTopic({ repository }: CodeTrigger): string {
  return `code ${repository}`
}

/** Somebody asked for a run: its job compares with the commit that was documented last. */
export async function createManualCause(tx: Tx, trigger: CodeTrigger, row: AutomationRow): Promise<Cause> {
  const documented = await documentedCommit(tx, trigger, row)
  const { repository } = trigger
  const text =
    documented === null
      ? `No run of this automation has documented the code repository ${repository} yet: compare the pages with the code as it stands now.`
      : `The pages were last brought up to date with the code repository ${repository} at commit ${documented}: compare the code as it stands now with that commit (diff_code, from ${documented}).`
  return {
    ...emptyCause(codeTopic(trigger)),
    told: [{ what: 'what to compare the code with', text }],
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
  const pages = compared.named.pages.filter(({ file }) =>
    pageAddresses(file).some((address) => matchesAny(trigger.pages ?? [], address)),
  )
  const externalTexts = [
    describeFiles(trigger, compared),
    ...(pages.length > 0 ? [describePages(pages)] : []),
  ]
  const cause = { ...emptyCause(codeTopic(trigger)), told: externalTexts, code: compared.seen }
  return { cause, hasPages: pages.length > 0 }
}

function describeFiles({ repository }: CodeTrigger, { from, seen, changed, named }: Compared): OutsideText {
  const ranges = new Map(named.ranges.map((file) => [file.path, file.ranges]))
  // Files with known line ranges first.
  const files = changed.files.toSorted((a, b) => Number(ranges.has(b.path)) - Number(ranges.has(a.path)))
  const lines = files.slice(0, MAX_FILES).map(({ path, added, removed }) => {
    const size = added === null ? 'no text' : `+${added} −${removed}`
    const lineRanges = (ranges.get(path) ?? []).map(([first, last]) =>
      first === last ? `${first}` : `${first}–${last}`,
    )
    return `${path} (${size})${lineRanges.length > 0 ? `, lines ${lineRanges.join(', ')}` : ''}`
  })
  const remaining = changed.total - lines.length
  return {
    what: `what changed in the code repository ${repository} from commit ${from} to commit ${seen.commit}`,
    text: maskedText([...lines, ...(remaining > 0 ? [`and ${remaining} more files`] : [])].join('\n')),
  }
}

function describePages(pages: Compared['named']['pages']): OutsideText {
  const lines = pages
    .slice(0, MAX_PAGES)
    .map(
      ({ file, names }) => `${file}: ${names.map(({ name, line }) => `${name} (line ${line})`).join(', ')}`,
    )
  const remaining = pages.length - lines.length
  return {
    what: 'the list of pages that name what changed, with the names and the lines where they stand',
    text: maskedText([...lines, ...(remaining > 0 ? [`and ${remaining} more pages`] : [])].join('\n')),
  }
}
