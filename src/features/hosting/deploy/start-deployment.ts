/** Starts a deployment: row and job in the caller's transaction. */
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
  /** Whoever asked for it, as the audit log names them. */
  actor: string
  trigger?: DeploymentTrigger
  /** Null: of the project itself. */
  previewId?: string | null
}

/**
 * Whatever comes while one waits for its turn is in that one: it reads the source when it begins. So there is never more
 * than one that waits. Throws AppError `not_found` for a project that is not this organization's.
 */
export async function startDeployment(
  deps: StartDeploymentDeps,
  tx: Tx,
  { organizationId, projectId, actor, trigger = 'request', previewId = null }: NewDeployment,
): Promise<Deployment> {
  await lockProject(tx, { organizationId, projectId })
  if (previewId !== null) await tellSoon(tx, previewId)
  const waiting = await findWaiting(tx, { projectId, previewId })
  const wanted = { organizationId, projectId, actor, trigger, previewId }
  const row = waiting ?? (await insert(deps, tx, wanted))
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'deployment.started',
    subject: row.id,
    details: { projectId, trigger, ...(previewId !== null && { previewId }) },
  })
  return toDeployment(row, false)
}

/** Another one in the place of one that has failed. Throws AppError `not_found`, `deployment_not_failed`. */
export async function retryDeployment(
  deps: StartDeploymentDeps,
  tx: Tx,
  place: { organizationId: string; projectId: string; actor: string },
  deploymentId: string,
): Promise<Deployment> {
  const { status, preview_id: previewId } = await deploymentRows.get(tx, place, deploymentId)
  if (status !== 'failed') throw new AppError('deployment_not_failed')
  return startDeployment(deps, tx, { ...place, trigger: 'retry', previewId })
}

async function insert(
  { queue }: StartDeploymentDeps,
  tx: Tx,
  { actor, ...wanted }: Required<NewDeployment>,
): Promise<DeploymentRow> {
  const row = await insertDeployment(tx, { id: createId('dep'), startedBy: actor, ...wanted })
  await queue.enqueue(tx, 'deployment.publish', { deploymentId: row.id }, wanted)
  return row
}

/** The forge is told of it, see report-previews.ts. Throws AppError `not_found` for one that is removed. */
async function tellSoon(tx: Tx, previewId: string): Promise<void> {
  const preview = await tx
    .updateTable('previews')
    .set({ tell_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', previewId)
    .where('removed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (preview === undefined) throw new AppError('not_found')
}

/** Of two who start at once the second waits and sees what the first has started. */
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
