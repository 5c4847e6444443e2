/** Reads and cancels deployments. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type {
  ChangedPage,
  Deployment,
  DeploymentList,
  DeploymentState,
  ListDeploymentsQuery,
  SitePointer,
} from '../operations/deployments.ts'
import { type DeploymentRow, deploymentRows, toDeployment, toPointer, toState } from './store.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

/** Id of the key or member that started the deployment. Other modules resolve the name. */
interface StartedBy {
  startedBy: string | null
}

/** Throws AppError `not_found`, also for a deployment of another organization. */
export async function getDeployment(
  queries: Queries,
  projectScope: ProjectScope,
  deploymentId: string,
): Promise<Deployment> {
  return (await getDeploymentWork(queries, projectScope, deploymentId)).deployment
}

export async function getDeploymentWork(
  queries: Queries,
  projectScope: ProjectScope,
  deploymentId: string,
): Promise<{ deployment: Deployment } & StartedBy> {
  const row = await deploymentRows.get(queries, projectScope, deploymentId)
  const isLive = (await readPointer(queries, projectScope.projectId))?.deploymentId === row.id
  return { deployment: toDeployment(row, isLive), startedBy: row.started_by }
}

/** Lists the newest first. Throws AppError `not_found`, or `invalid_request` for a cursor of another list. */
export async function listDeployments(
  deps: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  query: ListDeploymentsQuery,
): Promise<DeploymentList> {
  const { works, ...page } = await listDeploymentWork(deps, queries, projectScope, query)
  return { deployments: works.map(({ deployment }) => deployment), ...page }
}

export async function listDeploymentWork(
  deps: { cursors: CursorCodec },
  queries: Queries,
  projectScope: ProjectScope,
  query: ListDeploymentsQuery,
): Promise<{
  works: ({ deployment: DeploymentState; firstChange: ChangedPage | null } & StartedBy)[]
  nextCursor: string | null
  hasMore: boolean
}> {
  const scope = `deployments:${projectScope.projectId}`
  const { shown, ...page } = await deploymentRows.page(deps, queries, {
    ...{ owner: projectScope, scope, query },
    only: sql<boolean>`preview_id IS NULL`,
  })
  const live = shown.length === 0 ? null : (await readPointer(queries, projectScope.projectId))?.deploymentId
  const workOf = (row: DeploymentRow) => ({
    deployment: toState(row, row.id === live),
    startedBy: row.started_by,
    firstChange: row.changes?.pages[0] ?? null,
  })
  return { works: shown.map(workOf), ...page }
}

/**
 * `queued | running → failed`. The worker stops when it next reads the row. Throws `not_found`,
 * `deployment_not_running`.
 */
export async function cancelDeployment(
  tx: Tx,
  projectScope: ProjectScope,
  deploymentId: string,
): Promise<Deployment> {
  const cancelled = await deploymentRows.cancel(tx, projectScope, deploymentId, {
    error: 'The deployment was cancelled.',
    code: 'cancelled',
  })
  if (cancelled) return toDeployment(cancelled, false)
  const { status } = await deploymentRows.get(tx, projectScope, deploymentId)
  throw new AppError('deployment_not_running', { params: { status } })
}

/** Returns the version served to readers, or null before the first deployment. */
export async function readPointer(queries: Queries, projectId: string): Promise<SitePointer | null> {
  const pointer = await queries
    .selectFrom('published_sites')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return pointer === undefined ? null : toPointer(pointer)
}
