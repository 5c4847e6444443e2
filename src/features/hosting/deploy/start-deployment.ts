/** Starts a deployment: creates the row and the queue job in the caller's transaction. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { createId } from '../../../base/ids.ts'
import { recordAudit } from '../../../database/audit.ts'
import type { Tx } from '../../../database/database.ts'
import type { Queue } from '../../../queue/queue.ts'
import type { Deployment, DeploymentTrigger } from '../operations/deployments.ts'
import { type DeploymentRow, deploymentRows, findWaiting, insertDeployment, toDeployment } from './store.ts'

export interface StartDeploymentDeps {
  queue: Pick<Queue, 'enqueue'>
}

export interface NewDeployment {
  organizationId: string
  projectId: string
  /** Requesting actor, in the format of the audit log. */
  actor: string
  trigger?: DeploymentTrigger
  /** Null deploys the project itself. */
  previewId?: string | null
}

/**
 * Joins a deployment that is already waiting, because that deployment has not read the source yet. Hence at most one
 * deployment waits. Throws AppError `not_found` for a project of another organization.
 */
export async function startDeployment(
  deps: StartDeploymentDeps,
  tx: Tx,
  { organizationId, projectId, actor, trigger = 'request', previewId = null }: NewDeployment,
): Promise<Deployment> {
  await lockProject(tx, { organizationId, projectId })
  if (previewId !== null) await scheduleReport(tx, previewId)
  const waiting = await findWaiting(tx, { projectId, previewId })
  const newDeployment = { organizationId, projectId, actor, trigger, previewId }
  const row = waiting ?? (await insert(deps, tx, newDeployment))
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'deployment.started',
    subject: row.id,
    details: { projectId, trigger, ...(previewId !== null && { previewId }) },
  })
  return toDeployment(row, false)
}

/** Starts a new deployment after a failed one. Throws AppError `not_found`, `deployment_not_failed`. */
export async function retryDeployment(
  deps: StartDeploymentDeps,
  tx: Tx,
  scope: { organizationId: string; projectId: string; actor: string },
  deploymentId: string,
): Promise<Deployment> {
  const { status, preview_id: previewId } = await deploymentRows.get(tx, scope, deploymentId)
  if (status !== 'failed') throw new AppError('deployment_not_failed')
  return startDeployment(deps, tx, { ...scope, trigger: 'retry', previewId })
}

async function insert(
  { queue }: StartDeploymentDeps,
  tx: Tx,
  { actor, ...newDeployment }: Required<NewDeployment>,
): Promise<DeploymentRow> {
  const row = await insertDeployment(tx, { id: createId('dep'), startedBy: actor, ...newDeployment })
  await queue.enqueue(tx, 'deployment.publish', { deploymentId: row.id }, newDeployment)
  return row
}

/** Schedules a report to the forge (report-previews.ts). Throws `not_found` for a removed preview. */
async function scheduleReport(tx: Tx, previewId: string): Promise<void> {
  const preview = await tx
    .updateTable('previews')
    .set({ tell_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', previewId)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (preview === undefined) throw new AppError('not_found')
}

/** Locks the project, so that the second of two concurrent starts finds the deployment of the first. */
async function lockProject(
  tx: Tx,
  { organizationId, projectId }: Pick<NewDeployment, 'organizationId' | 'projectId'>,
): Promise<void> {
  const project = await tx
    .selectFrom('projects')
    .select(['id', 'archived_at'])
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!project) throw new AppError('not_found')
  if (project.archived_at !== null) throw new AppError('project_archived')
}
