/**
 * Rows of deployments, and the pointer that says which site version is published.
 *
 *     queued ──claim──▶ running ──publish──▶ published
 *       │                │  ▲ │
 *       │                │  └─┘ claim by a later attempt (the worker before died, or the attempt ended by an error)
 *       │ ◀───give back──┤      its process was ended by its limits; `error` says so until the end
 *       └──────fail──────┴──fail──▶ failed
 *
 * What is missing of a `published` one is made again, see restore-version.ts.
 *
 * Which attempts count towards `failed`: see queue/attempt-place.ts, whose columns the moves of the row write.
 *
 * Each move is one UPDATE guarded by the status it comes from and, for workers, by their attempt.
 */
import { type Selectable, sql } from 'kysely'
import type { Deployment } from '../contract/deployments.ts'
import { type Problem, toWarnings } from '../contract/problem.ts'
import { recordAudit, SYSTEM_ACTOR } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { recordEvent } from '../database/outbox.ts'
import type { DeploymentTable } from '../database/schema.ts'
import { failedColumns, queuedColumns, type WorkFailure, warningColumns } from '../database/warnings.ts'
import { claimedPlace, endedPlace, reachedPlace, uncountedPlace } from '../queue/attempt-place.ts'
import { replaceSiteProblems } from './site-problems.ts'

export type DeploymentRow = Selectable<DeploymentTable>

interface Held {
  id: string
  attempt: number
}

export async function insertDeployment(
  queries: Queries,
  deployment: { id: string; organizationId: string; projectId: string },
): Promise<DeploymentRow> {
  return queries
    .insertInto('deployments')
    .values({
      id: deployment.id,
      organization_id: deployment.organizationId,
      project_id: deployment.projectId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Of this project of this organization only. */
export async function findDeployment(
  queries: Queries,
  place: { organizationId: string; projectId: string },
  id: string,
): Promise<DeploymentRow | undefined> {
  return queries
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', place.projectId)
    .where('organization_id', '=', place.organizationId)
    .executeTakeFirst()
}

/** `queued | running → running` under this attempt. Undefined when it is over or a later attempt holds it. */
export async function claimDeployment(queries: Queries, held: Held): Promise<DeploymentRow | undefined> {
  return queries
    .updateTable('deployments')
    .set({ status: 'running', attempt: held.attempt, ...claimedPlace(), updated_at: sql`clock_timestamp()` })
    .where('id', '=', held.id)
    .where('status', 'in', ['queued', 'running'])
    .where('attempt', '<', held.attempt)
    .returningAll()
    .executeTakeFirst()
}

/**
 * The attempt ended by an error. `bound` says for people which bound it passed, if that was it: `running → queued`, else it
 * stays `running`. Answers how many attempts count; 0 when the row is no longer this attempt's.
 */
export async function endDeploymentAttempt(
  queries: Queries,
  held: Held,
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
export async function handOnDeployment(queries: Queries, held: Held): Promise<void> {
  await heldBy(queries, held).set(uncountedPlace()).execute()
}

export interface DeploymentProgress {
  pagesDone: number
  pagesTotal: number | null
}

/** False when the row is no longer this attempt's. */
export async function writeDeploymentProgress(
  queries: Queries,
  held: Held,
  state: DeploymentProgress | null,
  /** See attempt-place.ts. */
  place: number,
): Promise<boolean> {
  const row = await heldBy(queries, held)
    .set({
      ...(state === null
        ? {}
        : {
            page_count: sql`greatest(page_count, ${state.pagesDone}::integer)`,
            total_pages: sql`coalesce(${state.pagesTotal}::integer, total_pages)`,
          }),
      place: reachedPlace(place),
      updated_at: sql`clock_timestamp()`,
    })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface PublishedVersion {
  projectId: string
  revision: string
  manifestKey: string
  pageCount: number
  problems: readonly Problem[]
}

/**
 * `running → published`, and the pointer moves with it. A deployment that was started later keeps the pointer: a slow
 * one never puts an older version in front of a newer one. False when the row is no longer this attempt's. The event
 * is part of the transaction.
 */
export async function publishVersion(tx: Tx, held: Held, version: PublishedVersion): Promise<boolean> {
  const warnings = toWarnings(version.problems)
  const row = await heldBy(tx, held)
    .set({
      status: 'published',
      error: null,
      error_code: null,
      revision: version.revision,
      manifest_key: version.manifestKey,
      page_count: version.pageCount,
      total_pages: version.pageCount,
      ...warningColumns(warnings),
      updated_at: sql`clock_timestamp()`,
    })
    .returningAll()
    .executeTakeFirst()
  if (!row) return false
  await recordEnd(tx, row)
  const pointer = await tx
    .insertInto('published_sites')
    .values({ project_id: version.projectId, deployment_id: held.id, manifest_key: version.manifestKey })
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet({
          deployment_id: held.id,
          manifest_key: version.manifestKey,
          published_at: sql`clock_timestamp()`,
        })
        // One that is there no more is older than any.
        .where(
          sql<boolean>`coalesce((SELECT number FROM deployments WHERE id = published_sites.deployment_id), 0) < ${row.number}`,
        ),
    )
    .returning('deployment_id')
    .executeTakeFirst()
  if (pointer !== undefined) await replaceSiteProblems(tx, row, version.problems)
  const { warnings: _, ...deployment } = toDeployment(row)
  await recordEvent(tx, {
    type: 'deployment.published',
    organizationId: row.organization_id,
    data: { projectId: row.project_id, deployment },
  })
  return true
}

export async function findPublishedDeployment(
  queries: Queries,
  id: string,
): Promise<DeploymentRow | undefined> {
  return queries
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'published')
    .executeTakeFirst()
}

/** Of a deployment that stays `published`: the same version, made once more. */
export async function replaceVersion(tx: Tx, id: string, manifestKey: string): Promise<void> {
  await tx
    .updateTable('deployments')
    .set({ manifest_key: manifestKey })
    .where('id', '=', id)
    .where('status', '=', 'published')
    .execute()
  await tx
    .updateTable('published_sites')
    .set({ manifest_key: manifestKey })
    .where('deployment_id', '=', id)
    .execute()
}

/** `queued | running → failed`; with `attempt` only while that attempt holds the row. False when it was over. */
export async function failDeployment(
  tx: Tx,
  target: { id: string; attempt?: number },
  failure: WorkFailure,
): Promise<boolean> {
  const { attempt } = target
  const row = await tx
    .updateTable('deployments')
    .set({
      ...failedColumns(failure),
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', target.id)
    .where('status', 'in', ['queued', 'running'])
    .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt as number))
    .returningAll()
    .executeTakeFirst()
  if (row !== undefined) await recordEnd(tx, row)
  return row !== undefined
}

async function recordEnd(tx: Tx, row: DeploymentRow): Promise<void> {
  await recordAudit(tx, {
    organizationId: row.organization_id,
    actor: SYSTEM_ACTOR,
    action: row.status === 'published' ? 'deployment.published' : 'deployment.failed',
    subject: row.id,
    details: {
      projectId: row.project_id,
      ...(row.status === 'published'
        ? { revision: row.revision }
        : { error: row.error, errorCode: row.error_code }),
    },
  })
}

/** Undefined: nobody is served at the host name. Null: a project has it and nothing is published yet. */
export async function findPublishedManifest(
  queries: Queries,
  host: string,
): Promise<string | null | undefined> {
  const row = await queries
    .selectFrom('served_domains')
    .leftJoin('published_sites', 'published_sites.project_id', 'served_domains.project_id')
    .select('published_sites.manifest_key')
    .where('served_domains.domain', '=', host)
    .executeTakeFirst()
  return row?.manifest_key === undefined ? undefined : row.manifest_key
}

/** The row as callers see it. */
export function toDeployment(row: DeploymentRow): Deployment {
  return {
    deploymentId: row.id,
    projectId: row.project_id,
    status: row.status,
    revision: row.revision,
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

function heldBy(queries: Queries, held: Held) {
  return queries
    .updateTable('deployments')
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('attempt', '=', held.attempt)
}
