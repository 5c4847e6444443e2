/** Exports of a project for the dashboard, with their options and the users who started them. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Queries } from '../../database/database.ts'
import type { ExportWork, ExportWorkQuery } from '../dashboard/operations/work.ts'
import { type ExportRow, exportRows, toExportJob } from './store.ts'

/** Contains a user id, which other modules resolve to a name. */
export interface ExportWorkItem {
  work: Omit<ExportWork, 'startedBy'>
  startedBy: string | null
}

interface ProjectScope {
  organizationId: string
  projectId: string
}

/** Lists the newest, without warnings. Throws `not_found`, `invalid_request` for another list's cursor. */
export async function listExportWork(
  deps: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  query: ExportWorkQuery,
): Promise<{ exports: ExportWorkItem[]; nextCursor: string | null; hasMore: boolean }> {
  const scope = `export-work:${projectScope.projectId}`
  const { shown, ...page } = await exportRows.page(deps, queries, { owner: projectScope, scope, query })
  return { exports: shown.map((row) => toWorkItem({ ...row, warnings: [] })), ...page }
}

export async function getExportWork(
  queries: Queries,
  projectScope: ProjectScope,
  jobId: string,
): Promise<ExportWorkItem> {
  return toWorkItem(await exportRows.get(queries, projectScope, jobId))
}

function toWorkItem(row: ExportRow): ExportWorkItem {
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
