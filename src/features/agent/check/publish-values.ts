/** Column values of a job whose change is ready to be published. */
import { sql } from 'kysely'
import { toStorable } from '../../../base/text/storable.ts'
import type { ChangeChecks, RiskNote } from '../operations/agent-review.ts'
import { isOver } from '../publish/open-base.ts'
import { isImageFile } from '../review/change-content.ts'
import type { JobValues } from '../store.ts'
import type { Run } from '../turn-context.ts'
import type { ChangeCheck } from './check-change.ts'

/** Maximum length of the title part; the job id makes the name unique. */
const MAX_BRANCH_SLUG_LENGTH = 48
const ID_LENGTH = 8

/**
 * A change that follows a merged or closed pull request gets a new branch; the earlier request is recorded with its
 * outcome.
 */
export function buildPublishValues(
  { job, prompt, workspace }: Run,
  title: string,
  { risks, checks }: { risks: ChangeCheck['risks']; checks: ChangeChecks | null },
): JobValues {
  const isNew = isOver(job)
  const state = job.pull_request_state === 'merged' ? ('merged' as const) : ('closed' as const)
  const link = job.current_link ?? job.pull_request_link ?? ''
  const past = isNew ? [...job.past_requests, { link, branch: job.branch ?? '', state }] : job.past_requests
  const newRequestValues: JobValues = {
    past_requests: JSON.stringify(past),
    first_prompt: prompt.number,
    pushed_commit: null,
    origin_commit: job.base_commit,
    pull_request_id: null,
    pull_request_state: null,
    current_link: null,
    sent_title: null,
    sent_body: null,
    made_draft: false,
    look_at: null,
  }
  const name = branchName(title, job.id)
  return {
    ...(isNew && newRequestValues),
    phase: 'publish',
    branch: (isNew ? null : job.branch) ?? (past.length > 0 ? `${name}-${past.length + 1}` : name),
    request_title: isNew ? title : sql<string>`coalesce(request_title, ${title})`,
    risks: JSON.stringify([...(risks?.notes ?? []), ...createConflictNotes(job)]),
    is_all_risk: risks?.isAll ?? false,
    checks: checks && JSON.stringify(toStorable(checks)),
    conflicts: '[]',
    files_changed: sql`greatest(files_changed, ${workspace.changes.size}::integer)`,
  }
}

/**
 * Returns notes for reviewers about conflicts. Conflicting texts were merged from both sides; of two conflicting
 * images, only one was used.
 */
function createConflictNotes({ conflicts, ref }: Run['job']): RiskNote[] {
  return conflicts.filter(isImageFile).map((path) => ({
    kind: 'picture',
    path,
    line: null,
    what: `this picture was also changed in ${ref}: decide which version to use`,
  }))
}

// Branch names, and texts stored by git and forges.

/** Returns `octavo/<title>-<id>`: the title's words in lower case, and the last characters of the job id. */
export function branchName(title: string, jobId: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_BRANCH_SLUG_LENGTH)
    .replace(/^-+|(?<!-)-+$/g, '')
  return `octavo/${words === '' ? 'docs' : words}-${jobId.slice(-ID_LENGTH)}`
}
