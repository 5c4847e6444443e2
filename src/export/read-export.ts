/** What callers read of exports, and the two things they may ask of one: its bundle, and its end. */
import type { CursorCodec } from '../base/signed-cursor.ts'
import { AppError } from '../contract/errors.ts'
import type { ExportJob, ExportJobList, ListExportsQuery } from '../contract/static-export.ts'
import type { Queries, Tx } from '../database/database.ts'
import { cutPage, readPlace } from '../database/newest-first.ts'
import { failExport, findExport, selectExports, toExportJob } from './store.ts'

const DEFAULT_PAGE = 50

/** Throws AppError `not_found`, the same for a job of another organization. */
export async function getExport(queries: Queries, organizationId: string, jobId: string): Promise<ExportJob> {
  const row = await findExport(queries, organizationId, jobId)
  if (!row) throw new AppError('not_found')
  return toExportJob(row)
}

/** Newest first. Throws AppError `invalid_request` for a cursor that is not of this list. */
export async function listExports(
  deps: { cursors: CursorCodec },
  queries: Queries,
  organizationId: string,
  query: ListExportsQuery,
): Promise<ExportJobList> {
  const scope = `static-export:${organizationId}`
  const limit = query.limit ?? DEFAULT_PAGE
  const rows = await selectExports(queries, organizationId, {
    limit: limit + 1,
    after: readPlace(deps.cursors, scope, query.cursor),
  })
  const { shown, ...page } = cutPage(deps.cursors, scope, rows, limit)
  return { jobs: shown.map(toExportJob), ...page }
}

/** `queued | running → failed`. The worker notices at its next look at the row. Throws `not_found`, `export_not_running`. */
export async function cancelExport(tx: Tx, organizationId: string, jobId: string): Promise<ExportJob> {
  const cancelled = await failExport(
    tx,
    { id: jobId, organizationId },
    { error: 'The export was cancelled.', code: 'cancelled' },
  )
  if (cancelled) return toExportJob(cancelled)
  const { status } = await getExport(tx, organizationId, jobId)
  throw new AppError('export_not_running', { sentence: `The export is ${status} and cannot be cancelled.` })
}
