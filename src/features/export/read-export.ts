/** Reads and cancels exports. */
import { type SqlBool, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { ExportJob, ExportJobList, ListExportsQuery } from './operations/static-export.ts'
import { exportRows, toExportJob } from './store.ts'

/** Throws AppError `not_found`, also for a job of another organization. */
export async function getExport(queries: Queries, organizationId: string, jobId: string): Promise<ExportJob> {
  return toExportJob(await exportRows.get(queries, { organizationId }, jobId))
}

/** Lists the newest first, within the key's scope. Throws `invalid_request` for another list's cursor. */
export async function listExports(
  deps: { cursors: CursorCodec },
  queries: Queries,
  { organizationId, projectIds }: { organizationId: string; projectIds: readonly string[] | null },
  query: ListExportsQuery,
): Promise<ExportJobList> {
  const scope = `static-export:${organizationId}`
  const only = projectIds === null ? {} : { only: sql<SqlBool>`project_id = ANY(${projectIds}::text[])` }
  const list = { owner: { organizationId }, scope, query, ...only }
  const { shown, ...page } = await exportRows.page(deps, queries, list)
  return { jobs: shown.map(toExportJob), ...page }
}

/**
 * `queued | running → failed`. The worker stops when it next reads the row. Throws `not_found`,
 * `export_not_running`.
 */
export async function cancelExport(tx: Tx, organizationId: string, jobId: string): Promise<ExportJob> {
  const cancelled = await exportRows.cancel(tx, { organizationId }, jobId, {
    error: 'The export was cancelled.',
    code: 'cancelled',
  })
  if (cancelled) return toExportJob(cancelled)
  const { status } = await getExport(tx, organizationId, jobId)
  throw new AppError('export_not_running', { params: { status } })
}
