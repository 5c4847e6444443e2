/**
 * Rows of deployments, and the pointer to the published site version.
 *
 *     queued ──claim──▶ running ──publish──▶ published
 *       │                │  ▲ │
 *       │                │  └─┘ claim by a later attempt (the previous worker died, or the attempt failed)
 *       │ ◀───give back──┤      its process exceeded its limits; `error` describes this until the end
 *       └──────fail──────┴──fail──▶ failed
 *
 * Missing files of a `published` deployment are rebuilt, see restore-version.ts.
 *
 * See queue/count-attempts.ts for the attempts that count towards `failed`. The row's transitions write the columns
 * described there.
 *
 * The transitions are those of queue/leased-rows.ts and queue/work-row.ts.
 */
import { type Selectable, sql } from 'kysely'
import type { CommitInfo } from '../../../base/files/file-tree.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { DeploymentTable, PublishedSiteTable } from '../../../database/schema/hosting.ts'
import { isFinal } from '../../../git/project-source.ts'
import { claimedPosition } from '../../../queue/count-attempts.ts'
import { createLeasedRows, type RowLease } from '../../../queue/leased-rows.ts'
import type { WorkKind } from '../../../queue/work-row.ts'
import { recordNotification } from '../../notifications/record-notification.ts'
import type {
  Deployment,
  DeploymentState,
  DeploymentTrigger,
  SitePointer,
} from '../operations/deployments.ts'
import type { DeploymentRecord } from './deployment-record.ts'

export type DeploymentRow = Selectable<DeploymentTable>

export async function insertDeployment(
  queries: Queries,
  deployment: {
    id: string
    organizationId: string
    projectId: string
    trigger?: DeploymentTrigger
    startedBy?: string | null
    previewId?: string | null
  },
): Promise<DeploymentRow> {
  return queries
    .insertInto('deployments')
    .values({
      id: deployment.id,
      organization_id: deployment.organizationId,
      project_id: deployment.projectId,
      started_by: deployment.startedBy ?? null,
      preview_id: deployment.previewId ?? null,
      ...(deployment.trigger && { trigger: deployment.trigger }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds a deployment that no attempt has started yet, and locks it until the transaction ends. */
export async function findWaiting(
  tx: Tx,
  { projectId, previewId }: { projectId: string; previewId: string | null },
): Promise<DeploymentRow | undefined> {
  return tx
    .selectFrom('deployments')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('preview_id', 'is not distinct from', previewId)
    .where('status', '=', 'queued')
    .where('attempt', '=', 0)
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export const deploymentRows = createLeasedRows('deployments', {
  attempt: 'attempt',
  open: ['queued', 'running'],
  done: 'published',
  claimed: () => ({ status: 'running', ...claimedPosition() }),
  ended: () => ({ ended_at: sql`clock_timestamp()` }),
  actionsOf: ({ preview_id: previewId }) =>
    previewId === null
      ? { done: 'deployment.published', failed: 'deployment.failed' }
      : { done: 'preview.built', failed: 'preview.failed' },
  resultOf: (row) => ({ revision: row.revision }),
  reportEnd: notifyDeploymentEnd,
})

/** Notifies of failures and the first success after a failure. Previews are reported to the forge instead. */
async function notifyDeploymentEnd(tx: Tx, row: DeploymentRow): Promise<void> {
  if (row.preview_id !== null || row.error_code === 'cancelled') return
  const endNotification = { projectId: row.project_id, subject: row.id, owner: row.started_by }
  if (row.status === 'failed')
    await recordNotification(tx, {
      ...endNotification,
      kind: 'deployment_failed',
      facts: { reason: row.error ?? '' },
    })
  else if (await hasFailedBefore(tx, row))
    await recordNotification(tx, { ...endNotification, kind: 'deployment_recovered' })
}

async function hasFailedBefore(tx: Tx, row: DeploymentRow): Promise<boolean> {
  const before = await tx
    .selectFrom('deployments')
    .select('status')
    .where('project_id', '=', row.project_id)
    .where('preview_id', 'is', null)
    .where('number', '<', row.number)
    .where('status', 'in', ['published', 'failed'])
    .where(sql<boolean>`error_code IS DISTINCT FROM 'cancelled'`)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before?.status === 'failed'
}

export interface DeploymentProgress {
  pagesDone: number
  pagesTotal: number | null
  record: DeploymentRecord
}

export const DEPLOYMENT_WORK: WorkKind<DeploymentRow, DeploymentProgress> = {
  rows: deploymentRows,
  progressColumns: ({ pagesDone, pagesTotal, record }) => ({
    ...record.columns(),
    page_count: sql`greatest(page_count, ${pagesDone}::integer)`,
    total_pages: sql`coalesce(${pagesTotal}::integer, total_pages)`,
  }),
  isFinal,
  failed: { event: 'deployment.failed', id: 'deploymentId' },
}

export async function setCommit(
  queries: Queries,
  rowLease: RowLease,
  revision: string,
  commit: CommitInfo | undefined,
): Promise<void> {
  await deploymentRows.update(queries, rowLease, {
    revision,
    commit_title: commit?.title ?? null,
    commit_author: commit?.author ?? null,
    committed_at: commit?.committedAt ?? null,
  })
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

export async function replaceVersion(tx: Tx, id: string, manifestKey: string): Promise<void> {
  await tx
    .updateTable('previews')
    .set({ manifest_key: manifestKey })
    .where('deployment_id', '=', id)
    .execute()
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

export function toState(row: DeploymentRow, isLive: boolean): DeploymentState {
  const { changes, commit_author: author, committed_at: committedAt } = row
  return {
    deploymentId: row.id,
    projectId: row.project_id,
    status: row.status,
    isLive,
    isKept: row.manifest_key !== null,
    trigger: row.trigger,
    previewId: row.preview_id,
    revision: row.revision,
    commit:
      author === null || committedAt === null
        ? null
        : { title: row.commit_title ?? '', author, committedAt: committedAt.toISOString() },
    pageCount: row.page_count,
    totalPages: row.total_pages,
    changes: changes && { added: changes.added, changed: changes.changed, removed: changes.removed },
    stages: row.stages,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    error: row.error,
    errorCode: row.error_code,
    warningCount: row.warning_count,
  }
}

export function toDeployment(row: DeploymentRow, isLive: boolean): Deployment {
  return {
    ...toState(row, isLive),
    warnings: row.warnings,
    log: row.log,
    changedPages: row.changes?.pages ?? [],
  }
}

export function toPointer(row: Selectable<PublishedSiteTable>): SitePointer {
  return {
    deploymentId: row.deployment_id,
    publishedAt: row.published_at.toISOString(),
    pinnedAt: row.pinned_at?.toISOString() ?? null,
  }
}
