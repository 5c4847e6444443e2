/**
 * Previews of branches and pull requests. Each has a git ref and a host name, and shows its newest successful
 * deployment.
 *
 *     push ──▶ row, deployment ──▶ … ──▶ live version
 *       └────▶ the same row, another deployment
 *     merged, closed, gone, expired, too many, requested ──▶ removed: no longer served
 *
 * The row of a removed preview is retained for a day, so that its removal can be reported to the forge.
 */
import { type Selectable, sql } from 'kysely'
import { MAX_PREVIEWS_BY_PLAN, type Plan } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { PreviewTable } from '../../../database/schema/hosting.ts'
import { type StartDeploymentDeps, startDeployment } from '../deploy/start-deployment.ts'
import { deploymentRows } from '../deploy/store.ts'
import type { DeploymentTrigger } from '../operations/deployments.ts'
import { createLabel } from './preview-address.ts'

export type PreviewRow = Selectable<PreviewTable>
export type RemovalReason = NonNullable<PreviewRow['removed_because']>

export interface PreviewScope {
  organizationId: string
  projectId: string
}

export interface NewPreview extends PreviewScope {
  actor: string
  trigger: DeploymentTrigger
  ref: string
  branch: string
  pullRequest?: number | null
  isFork?: boolean
}

export function branchRef(branch: string): string {
  return `refs/heads/${branch}`
}

/**
 * Creates the preview of a ref, or updates the existing one. Throws AppError `not_found`, `plan_required` if
 * the plan includes no previews, and `preview_of_folder`.
 */
export async function buildPreview(
  deps: StartDeploymentDeps,
  tx: Tx,
  { organizationId, projectId, actor, trigger, ...wanted }: NewPreview,
): Promise<{ previewId: string; label: string; deploymentId: string }> {
  const { days, maxPreviews } = await requirePreviews(tx, { organizationId, projectId })
  const expires_at = sql<Date>`clock_timestamp() + make_interval(days => ${days})`
  const pushed_at = sql<Date>`clock_timestamp()`
  const { ref, branch, pullRequest = null, isFork = false } = wanted
  const row = await tx
    .insertInto('previews')
    .values({
      id: createId('pv'),
      organization_id: organizationId,
      project_id: projectId,
      label: createLabel(),
      ...{ ref, branch, pull_request: pullRequest, is_fork: isFork, created_by: actor, expires_at },
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'ref'])
        .where('removed_at', 'is', null)
        .doUpdateSet((eb) => ({
          ...{ expires_at, pushed_at, updated_at: pushed_at },
          pull_request: eb.fn.coalesce('excluded.pull_request', 'previews.pull_request'),
        })),
    )
    .returning(['id', 'label'])
    .executeTakeFirstOrThrow()
  await removeExcessPreviews(tx, { organizationId, projectId }, maxPreviews)
  const start = { organizationId, projectId, actor, trigger, previewId: row.id }
  const { deploymentId } = await startDeployment(deps, tx, start)
  return { previewId: row.id, label: row.label, deploymentId }
}

/** Locks the project until the transaction ends, so that concurrent calls cannot exceed the limit. */
async function requirePreviews(
  tx: Tx,
  { organizationId, projectId }: PreviewScope,
): Promise<{ days: number; maxPreviews: number }> {
  const project = await tx
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select(['plan', 'source_kind', 'archived_at'])
    .select((eb) =>
      eb
        .selectFrom('project_publishing')
        .select('preview_days')
        .whereRef('project_id', '=', 'projects.id')
        .as('preview_days'),
    )
    .where('projects.id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate('projects')
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  if (project.archived_at !== null) throw new AppError('project_archived')
  const maxPreviews = maxPreviewsOfPlan(project.plan)
  if (project.source_kind === 'folder') throw new AppError('preview_of_folder')
  return { days: project.preview_days ?? DEFAULT_DAYS, maxPreviews }
}

const DEFAULT_DAYS = 14

/** Throws AppError `plan_required`. */
export function maxPreviewsOfPlan(plan: Plan): number {
  const maxPreviews = MAX_PREVIEWS_BY_PLAN[plan]
  if (maxPreviews === 0) throw new AppError('plan_required', { params: { feature: 'previews' } })
  return maxPreviews
}

/** Removes previews over the limit, starting with the oldest push. */
export async function removeExcessPreviews(tx: Tx, scope: PreviewScope, maxPreviews: number): Promise<void> {
  const tooMany = await tx
    .selectFrom('previews')
    .select('id')
    .where('project_id', '=', scope.projectId)
    .where('removed_at', 'is', null)
    .orderBy('pushed_at', 'desc')
    .orderBy('number', 'desc')
    .offset(maxPreviews)
    .execute()
  for (const { id } of tooMany) await removePreview(tx, scope, id, 'crowded')
}

/** After the commit, the URL no longer responds and the files may be deleted. */
export async function removePreview(
  tx: Tx,
  scope: PreviewScope,
  previewId: string,
  removalReason: RemovalReason,
): Promise<void> {
  const removed = await tx
    .updateTable('previews')
    .set({
      removed_at: sql<Date>`clock_timestamp()`,
      removed_because: removalReason,
      ...{ deployment_id: null, manifest_key: null, tell_failures: 0 },
      tell_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', previewId)
    .where('project_id', '=', scope.projectId)
    .where('organization_id', '=', scope.organizationId)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  // Another process has already removed the preview.
  if (removed === undefined) return
  await cancelDeployments(tx, scope, previewId)
}

async function cancelDeployments(tx: Tx, scope: PreviewScope, previewId: string): Promise<void> {
  const open = await deploymentRows.openIds(tx, sql<boolean>`preview_id = ${previewId}`)
  const failure = { error: 'The preview was removed.', code: 'cancelled' } as const
  for (const id of open) await deploymentRows.cancel(tx, scope, id, failure)
  await tx
    .updateTable('deployments')
    .set({ manifest_key: null })
    .where('preview_id', '=', previewId)
    .where('manifest_key', 'is not', null)
    .execute()
}

export async function findPreviewsOfRefs(
  queries: Queries,
  projectId: string,
  refs: readonly string[],
): Promise<PreviewRow[]> {
  if (refs.length === 0) return []
  return queries
    .selectFrom('previews')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .where('ref', 'in', refs)
    .execute()
}

/** Throws AppError `not_found`, also for a preview of another organization. */
export async function requirePreview(
  queries: Queries,
  { organizationId, projectId }: PreviewScope,
  previewId: string,
): Promise<PreviewRow> {
  const row = await queries
    .selectFrom('previews')
    .selectAll()
    .where('id', '=', previewId)
    .where('project_id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return row
}
