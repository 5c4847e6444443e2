/** POST /v1/deployments/{projectId}: the deployment is queued, and its address is told. */
import { startDeployment as start } from '../../../hosting/start-deployment.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export type StartDeploymentRouteDeps = Parameters<typeof start>[0] & { publicUrl: () => string }

export async function startDeployment(
  deps: StartDeploymentRouteDeps,
  { tx, caller, params }: CallOf<'startDeployment'>,
): AnswerOf<'startDeployment'> {
  const deployment = await start(deps, tx, {
    ...params,
    organizationId: caller.organizationId,
    actor: caller.id,
  })
  const location = `${deps.publicUrl()}/v1/deployments/${deployment.projectId}/${deployment.deploymentId}`
  return { body: deployment, headers: { Location: location } }
}
