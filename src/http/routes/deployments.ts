/** Deployments: started and read. */
import { DEPLOYMENT_OPERATIONS } from '../../contract/deployments.ts'
import { getDeployment, startDeployment } from '../../hosting/start-deployment.ts'
import { type Handlers, locationOf } from '../handler.ts'

export type DeploymentDeps = Parameters<typeof startDeployment>[0] & { publicUrl: () => string }

export function deploymentHandlers(deps: DeploymentDeps): Handlers<typeof DEPLOYMENT_OPERATIONS> {
  return {
    async startDeployment({ tx, caller: { organizationId, id: actor }, params }) {
      const deployment = await startDeployment(deps, tx, { ...params, organizationId, actor })
      const { projectId, deploymentId } = deployment
      return {
        body: deployment,
        headers: locationOf(deps, DEPLOYMENT_OPERATIONS.getDeployment, { projectId, deploymentId }),
      }
    },
    getDeployment: async ({ db, caller: { organizationId }, params: { projectId, deploymentId } }) => ({
      body: await getDeployment(db, { organizationId, projectId }, deploymentId),
    }),
  }
}
