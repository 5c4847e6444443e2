/**
 * Rows of static export jobs.
 *
 *     queued ──claim──▶ running ──complete──▶ completed
 *       │                │  ▲ │
 *       │                │  └─┘ claim by a later attempt (the previous worker died, or the attempt failed)
 *       │ ◀───give back──┤      its process exceeded its limits; `error` describes this until the end
 *       └──cancel, fail──┴──cancel, fail──▶ failed
 *
 * A missing archive of a `completed` job is rebuilt, see restore-bundle.ts.
 *
 * See queue/count-attempts.ts for the attempts that count towards `failed`. The row's transitions write the columns
 * described there.
 *
 * The transitions are those of queue/leased-rows.ts and queue/work-row.ts.
 */
import { type Selectable, sql } from 'kysely'
import type { Queries, Tx } from '../../database/database.ts'
import { recordEvent } from '../../database/outbox.ts'
import type { WarningRow } from '../../database/schema/hosting.ts'
import type { StaticExportTable } from '../../database/schema.ts'
import { warningColumns } from '../../database/warnings.ts'
import { isFinal } from '../../git/project-source.ts'
import { claimedPosition } from '../../queue/count-attempts.ts'
import { createLeasedRows, type RowLease } from '../../queue/leased-rows.ts'
import type { WorkKind } from '../../queue/work-row.ts'
import { recordNotification } from '../notifications/record-notification.ts'
import type { ExportJob } from './operations/static-export.ts'

export type ExportRow = Selectable<StaticExportTable>

export interface NewExport {
  id: string
  organizationId: string
  projectId: string
  domain: string
  deployment: ExportRow['deployment']
  features: ExportRow['features']
  widgets: ExportRow['widgets']
  paths: readonly string[] | null
  /** Reader groups for which private pages are included. Without groups, only public pages are exported. */
  groups?: readonly string[]
  version: string | null
  /** Id of the key or member. */
  startedBy: string
}

export async function insertExport(queries: Queries, job: NewExport): Promise<ExportRow> {
  return queries
    .insertInto('static_exports')
    .values({
      id: job.id,
      organization_id: job.organizationId,
      project_id: job.projectId,
      domain: job.domain,
      deployment: job.deployment,
      features: JSON.stringify(job.features),
      widgets: JSON.stringify(job.widgets),
      paths: job.paths === null ? null : JSON.stringify(job.paths),
      groups: [...(job.groups ?? [])],
      version: job.version,
      started_by: job.startedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const exportRows = createLeasedRows('static_exports', {
  attempt: 'attempt',
  open: ['queued', 'running'],
  done: 'completed',
  claimed: () => ({ status: 'running', ...claimedPosition() }),
  actionsOf: () => ({ done: 'static_export.completed', failed: 'static_export.failed' }),
  resultOf: (row) => ({ pageCount: row.page_count }),
  reportEnd: notifyExportEnd,
})

export interface ExportProgress {
  progress: number
  pageCount: number
  totalPages: number | null
}

export const EXPORT_WORK: WorkKind<ExportRow, ExportProgress> = {
  rows: exportRows,
  progressColumns: ({ progress, pageCount, totalPages }) => ({
    progress: sql`greatest(progress, ${progress})`,
    page_count: sql`greatest(page_count, ${pageCount}::integer)`,
    total_pages: sql`coalesce(${totalPages}::integer, total_pages)`,
  }),
  isFinal,
  failed: { event: 'export.failed', id: 'exportId' },
}

/** Sets the revision unless an earlier attempt did. Returns the stored revision. */
export async function setRevisionOnce(
  queries: Queries,
  rowLease: RowLease,
  revision: string,
): Promise<string | null> {
  const row = await exportRows.update(queries, rowLease, { revision: sql`coalesce(revision, ${revision})` })
  return row?.revision ?? null
}

/** `running → completed`. Returns false if the row no longer belongs to this attempt. */
export async function completeExport(
  tx: Tx,
  rowLease: RowLease,
  result: {
    pageCount: number
    warnings: readonly WarningRow[]
    sha256: string
    sizeBytes: number
    callServers: string[]
  },
): Promise<boolean> {
  const row = await exportRows.complete(tx, rowLease, {
    progress: 100,
    page_count: result.pageCount,
    total_pages: result.pageCount,
    ...warningColumns(result.warnings),
    bundle_sha256: result.sha256,
    bundle_size_bytes: result.sizeBytes,
    call_servers: result.callServers,
  })
  return row !== undefined
}

export type CompletedRow = ExportRow & { bundle_sha256: string; bundle_size_bytes: number }

export async function findCompleted(queries: Queries, id: string): Promise<CompletedRow | undefined> {
  const row = await queries.selectFrom('static_exports').selectAll().where('id', '=', id).executeTakeFirst()
  return row !== undefined && isCompleted(row) ? row : undefined
}

export function isCompleted(row: ExportRow): row is CompletedRow {
  return row.bundle_sha256 !== null && row.bundle_size_bytes !== null
}

export async function replaceBundle(
  queries: Queries,
  id: string,
  bundle: { sha256: string; sizeBytes: number },
): Promise<void> {
  await queries
    .updateTable('static_exports')
    .set({ bundle_sha256: bundle.sha256, bundle_size_bytes: bundle.sizeBytes, bundle_lost: null })
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .execute()
}

/** Retains the archive for `seconds`, the lifetime of a link to it. */
export async function retainBundle(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx
    .updateTable('static_exports')
    .set({
      bundle_needed_until: sql`greatest(bundle_needed_until, clock_timestamp() + make_interval(secs => ${seconds}))`,
    })
    .where('id', '=', id)
    .execute()
}

/** Records why the archive cannot be rebuilt; the job stays `completed`. `reason` is a sentence. */
export async function markBundleLost(queries: Queries, id: string, reason: string): Promise<void> {
  await queries
    .updateTable('static_exports')
    .set({ bundle_lost: reason })
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .execute()
}

async function notifyExportEnd(tx: Tx, row: ExportRow): Promise<void> {
  const { warnings: _, ...job } = toExportJob(row)
  await recordEvent(tx, {
    type: row.status === 'completed' ? 'static_export.completed' : 'static_export.failed',
    organizationId: row.organization_id,
    data: { projectId: row.project_id, job },
  })
  // The user who cancelled the export needs no notification.
  if (row.error_code === 'cancelled') return
  await recordNotification(tx, {
    kind: row.status === 'completed' ? 'export_ready' : 'export_failed',
    projectId: row.project_id,
    subject: row.id,
    owner: row.started_by,
    facts: row.error === null ? {} : { reason: row.error },
  })
}

export function toExportJob(row: ExportRow): ExportJob {
  return {
    jobId: row.id,
    domain: row.domain,
    deployment: row.deployment,
    version: row.version,
    status: row.status,
    progress: shownProgress(row.progress),
    pageCount: row.page_count,
    totalPages: row.total_pages,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    error: row.error,
    errorCode: row.error_code,
    warnings: row.warnings,
    warningCount: row.warning_count,
  }
}

/** Rounds down to a tenth of a percent, so that only completed jobs show 100. */
function shownProgress(progress: number): number {
  return Math.floor(progress * 10) / 10
}
