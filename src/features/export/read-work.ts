/** Exports of one project for the dashboard, with the chosen options and who started them. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import type { ExportWork, ExportWorkQuery } from '../dashboard/operations/work.ts'
import { type ExportRow, exportRows, toExportJob } from './store.ts'

/** Contains a person's id instead of the name, which other modules resolve. */
export interface ExportWorkOf {
  work: Omit<ExportWork, 'startedBy'>
  startedBy: string | null
}

interface ProjectPlace {
  organizationId: string
  projectId: string
}

/** Newest first, without warnings. Throws AppError `not_found`; `invalid_request` for a cursor of another list. */
export async function listExportWork(
  deps: { cursors: CursorCodec },
  queries: Queries,
  place: ProjectPlace,
  query: ExportWorkQuery,
): Promise<{ exports: ExportWorkOf[]; nextCursor: string | null; hasMore: boolean }> {
  const scope = `export-work:${place.projectId}`
  const { shown, ...page } = await exportRows.page(deps, queries, { place, scope, query })
  return { exports: shown.map((row) => workOf({ ...row, warnings: [] })), ...page }
}

/** Throws AppError `not_found`. */
export async function getExportWork(
  queries: Queries,
  place: ProjectPlace,
  jobId: string,
): Promise<ExportWorkOf> {
  return workOf(await exportRows.get(queries, place, jobId))
}

function workOf(row: ExportRow): ExportWorkOf {
  const { bundle_sha256: sha256, bundle_size_bytes: sizeBytes } = row
  return {
    work: {
      job: toExportJob(row),
      features: row.features,
      paths: row.paths?.length ?? null,
      revision: row.revision,
      bundle: sha256 === null || sizeBytes === null ? null : { sizeBytes, sha256 },
    },
    startedBy: row.started_by,
  }
}
