/** Lists and reads previews. */

import { MAX_PREVIEWS_BY_PLAN } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import type { Queries } from '../../../database/database.ts'
import { type DeploymentRow, toState } from '../deploy/store.ts'
import type { Preview, PreviewList } from '../operations/previews.ts'
import { type PreviewAddresses, previewUrl } from './preview-address.ts'
import type { PreviewRow, PreviewScope } from './previews.ts'

/** Lists the last pushed first. Throws AppError `not_found`, also for a project of another organization. */
export async function listPreviews(
  addresses: PreviewAddresses,
  queries: Queries,
  scope: PreviewScope,
): Promise<PreviewList> {
  const project = await queries
    .selectFrom('projects')
    .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
    .select('plan')
    .where('projects.id', '=', scope.projectId)
    .where('organization_id', '=', scope.organizationId)
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  const rows = await selectPreviews(queries, scope)
    .orderBy('pushed_at', 'desc')
    .orderBy('number', 'desc')
    .execute()
  return { previews: await toPreviews(addresses, queries, rows), most: MAX_PREVIEWS_BY_PLAN[project.plan] }
}

/** Throws AppError `not_found`, also for a preview of another organization. */
export async function getPreview(
  addresses: PreviewAddresses,
  queries: Queries,
  scope: PreviewScope,
  previewId: string,
): Promise<Preview> {
  const row = await selectPreviews(queries, scope).where('id', '=', previewId).executeTakeFirst()
  const [preview] = row === undefined ? [] : await toPreviews(addresses, queries, [row])
  if (preview === undefined) throw new AppError('not_found')
  return preview
}

function selectPreviews(queries: Queries, { organizationId, projectId }: PreviewScope) {
  return queries
    .selectFrom('previews')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('project_id', '=', projectId)
    .where('project_id', 'in', (of) => of.selectFrom('projects').select('id'))
    .where('removed_at', 'is', null)
}

async function toPreviews(
  addresses: PreviewAddresses,
  queries: Queries,
  rows: readonly PreviewRow[],
): Promise<Preview[]> {
  const newest = await newestDeployments(
    queries,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const deployment = newest.get(row.id)
    return deployment === undefined ? [] : [toPreview(addresses, row, deployment)]
  })
}

export async function newestDeployments(
  queries: Queries,
  previewIds: readonly string[],
): Promise<Map<string, DeploymentRow>> {
  if (previewIds.length === 0) return new Map()
  const rows = await queries
    .selectFrom('deployments')
    .selectAll()
    .distinctOn('preview_id')
    .where('preview_id', 'in', previewIds)
    .orderBy('preview_id')
    .orderBy('number', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.preview_id ?? '', row]))
}

export function previewState({ status }: Pick<DeploymentRow, 'status'>): Preview['state'] {
  return status === 'published' ? 'ready' : status === 'failed' ? 'failed' : 'building'
}

function toPreview(addresses: PreviewAddresses, row: PreviewRow, deployment: DeploymentRow): Preview {
  return {
    previewId: row.id,
    projectId: row.project_id,
    branch: row.branch,
    pullRequest: row.pull_request,
    isFork: row.is_fork,
    state: previewState(deployment),
    previewUrl: addresses.previewDomain() === null ? null : previewUrl(addresses, row.label),
    isServed: row.manifest_key !== null,
    deployment: toState(deployment, false),
    createdAt: row.created_at.toISOString(),
    pushedAt: row.pushed_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    report: row.tell_error === null ? null : { error: row.tell_error },
  }
}
