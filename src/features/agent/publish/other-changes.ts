/** Finds concurrent work of other jobs on the same site: their current changes and their open pull requests. */
import { sql } from 'kysely'
import type { Queries } from '../../../database/database.ts'
import { quoteUntrusted } from '../../../model/quote-untrusted.ts'
import { shortened } from '../turn-store.ts'

export interface OtherChange {
  jobId: string
  /** Title written by the job's agent; null during the first turn. */
  title: string | null
  link: string | null
  /** Paths below the docs folder. */
  files: string[]
}

/** Maximum number of jobs, newest first; a longer list is of no use. */
const MAX_JOBS = 20
const MAX_FILES = 100

/** Leaves out jobs that have not changed anything. */
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
    .limit(MAX_JOBS)
    .execute()
  return rows
    .map((row) => {
      const published = row.pull_request_state === 'open' ? Object.keys(row.reasons) : []
      const files = [...new Set([...published, ...(row.changing ?? [])])].sort()
      return {
        jobId: row.id,
        title: row.title,
        link: row.pull_request_state === 'open' ? row.link : null,
        files: files.slice(0, MAX_FILES),
      }
    })
    .filter(({ files }) => files.length > 0)
}

export function findOverlapping(others: readonly OtherChange[], paths: ReadonlySet<string>): OtherChange[] {
  return others
    .map((other) => ({ ...other, files: other.files.filter((file) => paths.has(file)) }))
    .filter(({ files }) => files.length > 0)
}

export function describeOtherChanges(others: readonly OtherChange[]): string | null {
  if (others.length === 0) return null
  const lines = others.map(({ title, link, files }) => {
    const quotedTitle = JSON.stringify(shortened(title ?? 'no title yet', 120))
    return `- ${quotedTitle}${link === null ? ', running' : ', pull request open'}: ${files.map((file) => JSON.stringify(file)).join(', ')}`
  })
  return [
    'Other jobs are changing this site. Their changes are not in your files:',
    quoteUntrusted('otherJobs', lines.join('\n')),
    'Do not repeat their work. If your task needs one of these files, keep your change small and mention the overlap in the summary.',
  ].join('\n')
}
