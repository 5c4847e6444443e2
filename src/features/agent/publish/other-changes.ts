/** What other jobs have under way at the same site: what they change now, and their pull requests that are open. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { shortened } from '../turn-store.ts'

export interface OtherChange {
  jobId: string
  /** In the words of its agent; of one that is at work for the first time, null. */
  title: string | null
  /** Of its pull request. */
  link: string | null
  /** Paths below the docs folder. */
  files: string[]
}

/** Newest ones first; more are not of use to anybody. */
const MOST_JOBS = 20
const MOST_FILES = 100

/** Of those that have changed anything. */
export async function findOtherChanges(
  queries: Queries,
  { id, project_id: projectId }: { id: string; project_id: string },
): Promise<OtherChange[]> {
  const rows = await queries
    .selectFrom('agent_jobs as job')
    .select(['job.id', 'job.pull_request_state', 'job.reasons'])
    .select(({ fn }) => [
      fn.coalesce('job.request_title', 'job.title').as('title'),
      fn.coalesce('job.current_link', 'job.pull_request_link').as('link'),
    ])
    .select(({ selectFrom }) =>
      selectFrom('agent_job_changes as change')
        .select(sql<string[]>`coalesce(array_agg(change.path ORDER BY change.path), '{}')`.as('paths'))
        .whereRef('change.job_id', '=', 'job.id')
        .as('changing'),
    )
    .where('job.project_id', '=', projectId)
    .where('job.id', '<>', id)
    .where(({ or, eb }) => or([eb('job.status', '=', 'active'), eb('job.pull_request_state', '=', 'open')]))
    .orderBy('job.created_at', 'desc')
    .limit(MOST_JOBS)
    .execute()
  return rows
    .map((row) => {
      const published = row.pull_request_state === 'open' ? Object.keys(row.reasons) : []
      const files = [...new Set([...published, ...(row.changing ?? [])])].sort()
      return {
        jobId: row.id,
        title: row.title,
        link: row.pull_request_state === 'open' ? row.link : null,
        files: files.slice(0, MOST_FILES),
      }
    })
    .filter(({ files }) => files.length > 0)
}

/** Those that change one of these files too, with only these. */
export function meeting(others: readonly OtherChange[], paths: ReadonlySet<string>): OtherChange[] {
  return others
    .map((other) => ({ ...other, files: other.files.filter((file) => paths.has(file)) }))
    .filter(({ files }) => files.length > 0)
}

/** For the model. */
export function tellOthers(others: readonly OtherChange[]): string | null {
  if (others.length === 0) return null
  const lines = others.map(({ title, link, files }) => {
    const called = JSON.stringify(shortened(title ?? 'no title yet', 120))
    return `- ${called}${link === null ? ', at work' : ', pull request open'}: ${files.map((file) => JSON.stringify(file)).join(', ')}`
  })
  return [
    'Other jobs have changes of this site under way that are not in the files you see:',
    quoteUntrusted('otherJobs', lines.join('\n')),
    'Do not do their work again. Where your task needs one of these files too, keep your change of it small and say in the summary that both meet there.',
  ].join('\n')
}
