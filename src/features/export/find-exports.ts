/** Queries static exports for the dashboard: the latest of a project, and search results. */
import { sql } from 'kysely'
import type { Queries } from '../../database/database.ts'
import type { ExportJob } from './operations/static-export.ts'
import { toExportJob } from './store.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

const MAX_SEARCHED_EXPORTS = 500

function selectExports(queries: Queries, { organizationId, projectId }: ProjectScope) {
  return queries
    .selectFrom('static_exports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

/** Returns the newest jobs without warnings, and the number of queued or running ones among the last twenty. */
export async function findRecentExports(
  queries: Queries,
  scope: ProjectScope,
  limit: number,
): Promise<{ running: number; jobs: ExportJob[] }> {
  const rows = await selectExports(queries, scope).limit(20).execute()
  const running = rows.filter(({ status }) => status === 'queued' || status === 'running').length
  return { running, jobs: rows.slice(0, limit).map((row) => ({ ...toExportJob(row), warnings: [] })) }
}

/** Searches the newest 500 exports by id, domain or label. `pattern` is a LIKE pattern. */
export async function findExports(
  queries: Queries,
  scope: ProjectScope,
  pattern: string,
  limit: number,
): Promise<ExportJob[]> {
  const recent = selectExports(queries, scope).limit(MAX_SEARCHED_EXPORTS)
  const rows = await queries
    .selectFrom(recent.as('job'))
    .selectAll()
    .where(
      sql<boolean>`(job.id ILIKE ${pattern} OR job.domain ILIKE ${pattern} OR job.version ILIKE ${pattern})`,
    )
    .orderBy('job.created_at', 'desc')
    .orderBy('job.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toExportJob)
}

export async function exportRevision(
  queries: Queries,
  { organizationId, projectId }: ProjectScope,
  jobId: string,
): Promise<string | null | undefined> {
  const row = await queries
    .selectFrom('static_exports')
    .select('revision')
    .where('id', '=', jobId)
    .where('project_id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row?.revision
}
