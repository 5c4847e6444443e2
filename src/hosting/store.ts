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
 * The moves are those of queue/held-rows.ts and queue/work-row.ts.
 */
import { type Selectable, sql } from 'kysely'
import type { Deployment } from '../contract/deployments.ts'
import { type Problem, toWarnings } from '../contract/problem.ts'
import type { Queries, Tx } from '../database/database.ts'
import { recordEvent } from '../database/outbox.ts'
import type { DeploymentTable } from '../database/schema.ts'
import { warningColumns } from '../database/warnings.ts'
import { isFinal } from '../git/project-source.ts'
import { claimedPlace } from '../queue/attempt-place.ts'
import { type Held, heldRows } from '../queue/held-rows.ts'
import type { WorkKind } from '../queue/work-row.ts'
import { replaceSiteProblems } from './site-problems.ts'

export type DeploymentRow = Selectable<DeploymentTable>

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

export const deploymentRows = heldRows('deployments', {
  attempt: 'attempt',
  open: ['queued', 'running'],
  done: 'published',
  claimed: () => ({ status: 'running', ...claimedPlace() }),
  actions: { done: 'deployment.published', failed: 'deployment.failed' },
  resultOf: (row) => ({ revision: row.revision }),
})

export interface DeploymentProgress {
  pagesDone: number
  pagesTotal: number | null
}

export const DEPLOYMENT_WORK: WorkKind<DeploymentRow, DeploymentProgress> = {
  rows: deploymentRows,
  progressColumns: ({ pagesDone, pagesTotal }) => ({
    page_count: sql`greatest(page_count, ${pagesDone}::integer)`,
    total_pages: sql`coalesce(${pagesTotal}::integer, total_pages)`,
  }),
  isFinal,
  failed: { event: 'deployment.failed', id: 'deploymentId' },
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
  const row = await deploymentRows.complete(tx, held, {
    revision: version.revision,
    manifest_key: version.manifestKey,
    page_count: version.pageCount,
    total_pages: version.pageCount,
    ...warningColumns(warnings),
  })
  if (!row) return false
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
