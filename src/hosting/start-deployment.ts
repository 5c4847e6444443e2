/** Starts a deployment: row and job in the caller's transaction; and reads one. */
import { createId } from '../base/ids.ts'
import type { Deployment } from '../contract/deployments.ts'
import { AppError } from '../contract/errors.ts'
import { recordAudit } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import type { Queue } from '../queue/queue.ts'
import { deploymentRows, insertDeployment, toDeployment } from './store.ts'

/** `actor` is whoever asked for it, as the audit log names them. Throws AppError `not_found` for a project that is not this organization's. */
export async function startDeployment(
  deps: { queue: Pick<Queue, 'enqueue'> },
  tx: Tx,
  { organizationId, projectId, actor }: { organizationId: string; projectId: string; actor: string },
): Promise<Deployment> {
  const project = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (!project) throw new AppError('not_found')
  const row = await insertDeployment(tx, { id: createId('dep'), organizationId, projectId })
  await deps.queue.enqueue(tx, 'deployment.publish', { deploymentId: row.id })
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'deployment.started',
    subject: row.id,
    details: { projectId },
  })
  return toDeployment(row)
}

/** Throws AppError `not_found`, the same for a deployment of another organization. */
export async function getDeployment(
  queries: Queries,
  place: { organizationId: string; projectId: string },
  deploymentId: string,
): Promise<Deployment> {
  return toDeployment(await deploymentRows.get(queries, place, deploymentId))
}
