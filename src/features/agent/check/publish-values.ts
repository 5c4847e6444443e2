/** What a job's row says from the moment its change may be published. */
import { sql } from 'kysely'
import { storable } from '../../../base/text/storable.ts'
import type { ChangeChecks, RiskNote } from '../operations/agent-review.ts'
import { isOver } from '../publish/open-base.ts'
import { isPicture } from '../review/change-content.ts'
import type { Run } from '../run.ts'
import type { JobValues } from '../store.ts'
import type { ChangeCheck } from './check-change.ts'

/** Of the title; the id makes it the job's own. */
const SLUG_LENGTH = 48

const ID_LENGTH = 8

/**
 * A change on top of a pull request that was merged or closed gets a branch of its own; the one before is remembered with
 * what became of it.
 */
export function publishValues(
  { job, prompt, workspace }: Run,
  title: string,
  { risks, checks }: { risks: ChangeCheck['risks']; checks: ChangeChecks | null },
): JobValues {
  const past = isOver(job)
    ? [
        ...job.past_requests,
        {
          link: job.current_link ?? job.pull_request_link ?? '',
          branch: job.branch ?? '',
          state: job.pull_request_state === 'merged' ? ('merged' as const) : ('closed' as const),
        },
      ]
    : job.past_requests
  const begins: JobValues = isOver(job)
    ? {
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
    : {}
  const name = branchName(title, job.id)
  return {
    ...begins,
    phase: 'publish',
    branch:
      isOver(job) || job.branch === null
        ? past.length > 0
          ? `${name}-${past.length + 1}`
          : name
        : job.branch,
    request_title: isOver(job) ? title : sql<string>`coalesce(request_title, ${title})`,
    risks: JSON.stringify([...(risks?.notes ?? []), ...bothChanged(job)]),
    is_all_risk: risks?.isAll ?? false,
    checks: checks && JSON.stringify(storable(checks)),
    conflicts: '[]',
    files_changed: sql`greatest(files_changed, ${workspace.changes.size}::integer)`,
  }
}

/** Of two texts both sides are seen and brought together; of two pictures one stands, and people should know which. */
function bothChanged({ conflicts, ref }: Run['job']): RiskNote[] {
  return conflicts.filter(isPicture).map((path) => ({
    kind: 'picture',
    path,
    line: null,
    what: `this picture was changed in ${ref} as well: look which of the two is to stand`,
  }))
}

// Names of branches and the texts that git and forges keep.

/** `octavo/<title>-<id>`: lower-case words of the title, the last characters of the job's id. */
export function branchName(title: string, jobId: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|(?<!-)-+$/g, '')
  return `octavo/${words === '' ? 'docs' : words}-${jobId.slice(-ID_LENGTH)}`
}
