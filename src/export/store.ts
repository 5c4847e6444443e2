/**
 * Rows of static export jobs.
 *
 *     queued ──claim──▶ running ──complete──▶ completed
 *       │                │  ▲ │
 *       │                │  └─┘ claim by a later attempt (the worker before died, or the attempt ended by an error)
 *       │ ◀───give back──┤      its process was ended by its limits; `error` says so until the end
 *       └──cancel, fail──┴──cancel, fail──▶ failed
 *
 * The archive of a `completed` one that is missing is made again, see restore-bundle.ts.
 *
 * Which attempts count towards `failed`: see queue/attempt-place.ts, whose columns the moves of the row write.
 *
 * Each move is one UPDATE guarded by the status it comes from and, for workers, by their attempt. `progress` and
 * `page_count` never fall, whatever a later attempt begins with. A job's end and the event that tells of it are one
 * transaction.
 */
import { type Selectable, sql } from 'kysely'
import type { ExportJob } from '../contract/static-export.ts'
import { recordAudit, SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { isBehind, type ListPlace } from '../database/newest-first.ts'
import { recordEvent } from '../database/outbox.ts'
import type { StaticExportTable, WarningRow } from '../database/schema.ts'
import { failedColumns, queuedColumns, type WorkFailure, warningColumns } from '../database/warnings.ts'
import { claimedPlace, endedPlace, reachedPlace, uncountedPlace } from '../queue/attempt-place.ts'

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
  version: string | null
  /** Id of the key or the member. */
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
      version: job.version,
      started_by: job.startedBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Of this organization only: another one's job is as absent as one that does not exist. */
export async function findExport(
  queries: Queries,
  organizationId: string,
  id: string,
): Promise<ExportRow | undefined> {
  return queries
    .selectFrom('static_exports')
    .selectAll()
    .where('id', '=', id)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

/** Newest first; `after` is the last row of the page before. */
export async function selectExports(
  queries: Queries,
  organizationId: string,
  page: { limit: number; after: ListPlace | null },
): Promise<ExportRow[]> {
  const { after } = page
  return queries
    .selectFrom('static_exports')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where(isBehind(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
}

/** `queued | running → running` under this attempt. Undefined when the job is over or a later attempt holds it. */
export async function claimExport(
  queries: Queries,
  id: string,
  attempt: number,
): Promise<ExportRow | undefined> {
  return queries
    .updateTable('static_exports')
    .set({ status: 'running', attempt, ...claimedPlace(), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .where('attempt', '<', attempt)
    .returningAll()
    .executeTakeFirst()
}

export interface ExportProgress {
  progress: number
  pageCount: number
  totalPages: number | null
}

/** False when the row is no longer this attempt's. */
export async function writeProgress(
  queries: Queries,
  held: { id: string; attempt: number },
  state: ExportProgress | null,
  /** See attempt-place.ts. */
  place: number,
): Promise<boolean> {
  const row = await heldBy(queries, held)
    .set({
      ...(state === null
        ? {}
        : {
            progress: sql`greatest(progress, ${state.progress})`,
            page_count: sql`greatest(page_count, ${state.pageCount}::integer)`,
            total_pages: sql`coalesce(${state.totalPages}::integer, total_pages)`,
          }),
      place: reachedPlace(place),
      updated_at: sql`clock_timestamp()`,
    })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Fixes the revision at the first attempt that gets so far; later ones are told the one that was fixed. */
export async function fixRevision(
  queries: Queries,
  held: { id: string; attempt: number },
  revision: string,
): Promise<string | null> {
  const row = await heldBy(queries, held)
    .set({ revision: sql`coalesce(revision, ${revision})` })
    .returning('revision')
    .executeTakeFirst()
  return row?.revision ?? null
}

/**
 * The attempt ended by an error. `bound` says for people which bound it passed, if that was it: `running → queued`, else it
 * stays `running`. Answers how many attempts count; 0 when the row is no longer this attempt's.
 */
export async function endAttempt(
  queries: Queries,
  held: { id: string; attempt: number },
  bound: WorkFailure | null,
): Promise<number> {
  const row = await heldBy(queries, held)
    .set({
      ...endedPlace({ passedBound: bound !== null }),
      ...(bound === null ? {} : queuedColumns(bound)),
      updated_at: sql`clock_timestamp()`,
    })
    .returning('stalled')
    .executeTakeFirst()
  return row?.stalled ?? 0
}

/** The attempt goes on at another server. */
export async function handOnExport(queries: Queries, held: { id: string; attempt: number }): Promise<void> {
  await heldBy(queries, held).set(uncountedPlace()).execute()
}

/** `running → completed`. False when the row is no longer this attempt's. */
export async function completeExport(
  tx: Tx,
  held: { id: string; attempt: number },
  result: { pageCount: number; warnings: readonly WarningRow[]; sha256: string; sizeBytes: number },
): Promise<boolean> {
  const row = await heldBy(tx, held)
    .set({
      status: 'completed',
      error: null,
      error_code: null,
      progress: 100,
      page_count: result.pageCount,
      total_pages: result.pageCount,
      ...warningColumns(result.warnings),
      bundle_sha256: result.sha256,
      bundle_size_bytes: result.sizeBytes,
      updated_at: sql`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirst()
  if (row) {
    await tellEnd(tx, 'static_export.completed', row)
    await recordEnd(tx, row)
  }
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

/** Of a job that stays `completed`. */
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

/** A link to the archive is given out, and lives for so many seconds. */
export async function keepBundle(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx
    .updateTable('static_exports')
    .set({
      bundle_needed_until: sql`greatest(bundle_needed_until, clock_timestamp() + make_interval(secs => ${seconds}))`,
    })
    .where('id', '=', id)
    .execute()
}

/** Of a job that stays `completed`; `reason` is a sentence. */
export async function markBundleLost(queries: Queries, id: string, reason: string): Promise<void> {
  await queries
    .updateTable('static_exports')
    .set({ bundle_lost: reason })
    .where('id', '=', id)
    .where('status', '=', 'completed')
    .execute()
}

/**
 * `queued | running → failed`; with `attempt` only while that attempt holds the row, with `organizationId` for a person,
 * whose call has its own row in the audit log. Undefined when it was over.
 */
export async function failExport(
  tx: Tx,
  target: { id: string; attempt?: number; organizationId?: string },
  failure: WorkFailure,
): Promise<ExportRow | undefined> {
  const { attempt, organizationId } = target
  const row = await tx
    .updateTable('static_exports')
    .set({
      ...failedColumns(failure),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', target.id)
    .where('status', 'in', ['queued', 'running'])
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt as number))
    .$if(organizationId !== undefined, (query) =>
      query.where('organization_id', '=', organizationId as string),
    )
    .returningAll()
    .executeTakeFirst()
  if (row) {
    await tellEnd(tx, 'static_export.failed', row)
    if (organizationId === undefined) await recordEnd(tx, row)
  }
  return row
}

async function recordEnd(tx: Tx, row: ExportRow): Promise<void> {
  await recordAudit(tx, {
    organizationId: row.organization_id,
    actor: SYSTEM_ACTOR,
    action: row.status === 'completed' ? 'static_export.completed' : 'static_export.failed',
    subject: row.id,
    details: {
      projectId: row.project_id,
      ...(row.status === 'completed'
        ? { pageCount: row.page_count }
        : { error: row.error, errorCode: row.error_code }),
    },
  })
}

function tellEnd(
  tx: Tx,
  type: 'static_export.completed' | 'static_export.failed',
  row: ExportRow,
): Promise<void> {
  const { warnings: _, ...job } = toExportJob(row)
  return recordEvent(tx, {
    type,
    organizationId: row.organization_id,
    data: { projectId: row.project_id, job },
  })
}

/** The row as callers see it. */
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

/** To a tenth of a percent, downwards: 100 is for completed jobs alone. */
function shownProgress(progress: number): number {
  return Math.floor(progress * 10) / 10
}

function heldBy(queries: Queries, held: { id: string; attempt: number }) {
  return queries
    .updateTable('static_exports')
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('attempt', '=', held.attempt)
}
