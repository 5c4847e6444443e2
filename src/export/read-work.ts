/** Exports of one project as the dashboard shows them: with what was chosen, and who began them. */
import type { CursorCodec } from '../base/signed-cursor.ts'
import type { ExportWork, ExportWorkQuery } from '../contract/dashboard-work.ts'
import { AppError } from '../contract/errors.ts'
import type { Queries } from '../database/database.ts'
import { cutPage, isBehind, readPlace } from '../database/newest-first.ts'
import { type ExportRow, toExportJob } from './store.ts'

/** With the id of a person in place of the name, which others know. */
export interface ExportWorkOf {
  work: Omit<ExportWork, 'startedBy'>
  startedBy: string | null
}

interface ProjectPlace {
  organizationId: string
  projectId: string
}

const DEFAULT_PAGE = 50

/** Newest first, without warnings. Throws AppError `not_found`, `invalid_request` for a cursor of elsewhere. */
export async function listExportWork(
  deps: { cursors: CursorCodec },
  queries: Queries,
  place: ProjectPlace,
  query: ExportWorkQuery,
): Promise<{ exports: ExportWorkOf[]; nextCursor: string | null; hasMore: boolean }> {
  const limit = query.limit ?? DEFAULT_PAGE
  const scope = `export-work:${place.projectId}`
  const after = readPlace(deps.cursors, scope, query.cursor)
  await checkProject(queries, place)
  const rows = await selectExports(queries, place)
    .where(isBehind(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, ...page } = cutPage(deps.cursors, scope, rows, limit)
  return { exports: shown.map((row) => workOf({ ...row, warnings: [] })), ...page }
}

/** Throws AppError `not_found`. */
export async function getExportWork(
  queries: Queries,
  place: ProjectPlace,
  jobId: string,
): Promise<ExportWorkOf> {
  const row = await selectExports(queries, place).where('id', '=', jobId).executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return workOf(row)
}

function selectExports(queries: Queries, { organizationId, projectId }: ProjectPlace) {
  return queries
    .selectFrom('static_exports')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('organization_id', '=', organizationId)
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

async function checkProject(queries: Queries, { organizationId, projectId }: ProjectPlace): Promise<void> {
  const project = await queries
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
}
