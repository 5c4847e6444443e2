/** Routes of deployments: start, read, cancel, retry, promote. */
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { type Handlers, locationHeader } from '../../../routing/handler.ts'
import { promoteDeployment, releaseSite } from '../deploy/promote.ts'
import { cancelDeployment, getDeployment, listDeployments } from '../deploy/read-deployments.ts'
import { retryDeployment, type StartDeploymentDeps, startDeployment } from '../deploy/start-deployment.ts'
import { getUpdateStatus } from '../deploy/update-status.ts'
import { DEPLOYMENT_OPERATIONS, type Deployment } from '../operations/deployments.ts'

interface DeploymentDeps extends StartDeploymentDeps {
  objects: ObjectStore
  cursors: CursorCodec
  publicUrl: () => string
  previewDomain: () => string | null
}

export function deploymentHandlers(deps: DeploymentDeps): Handlers<typeof DEPLOYMENT_OPERATIONS> {
  const started = (deployment: Deployment) => {
    const { projectId, deploymentId } = deployment
    const headers = locationHeader(deps, DEPLOYMENT_OPERATIONS.getDeployment, { projectId, deploymentId })
    return { body: deployment, headers }
  }
  return {
    startDeployment: async ({ tx, caller: { organizationId, id: actor }, params }) =>
      started(await startDeployment(deps, tx, { ...params, organizationId, actor })),
    listDeployments: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await listDeployments(deps, db, { organizationId, ...params }, query),
    }),
    getDeployment: async ({ db, caller: { organizationId }, params: { projectId, deploymentId } }) => ({
      body: await getDeployment(db, { organizationId, projectId }, deploymentId),
    }),
    cancelDeployment: async ({ tx, caller: { organizationId }, params: { projectId, deploymentId } }) => ({
      body: await cancelDeployment(tx, { organizationId, projectId }, deploymentId),
    }),
    async retryDeployment({ tx, caller: { organizationId, id: actor }, params }) {
      const scope = { organizationId, projectId: params.projectId, actor }
      return started(await retryDeployment(deps, tx, scope, params.deploymentId))
    },
    async promoteDeployment({ tx, caller: { organizationId, id: actor }, params }) {
      const scope = { organizationId, projectId: params.projectId, actor }
      return { body: await promoteDeployment(deps, tx, scope, params.deploymentId) }
    },
    async triggerUpdate({ tx, caller: { organizationId, id: actor }, params }) {
      const { deploymentId: statusId } = await startDeployment(deps, tx, {
        ...params,
        organizationId,
        actor,
      })
      return {
        body: { statusId },
        headers: locationHeader(deps, DEPLOYMENT_OPERATIONS.getUpdateStatus, { statusId }),
      }
    },
    getUpdateStatus: async ({ db, caller: { organizationId }, params: { statusId } }) => ({
      body: await getUpdateStatus(deps, db, organizationId, statusId),
    }),
    releaseSite: async ({ tx, caller: { organizationId }, params: { projectId } }) => ({
      body: await releaseSite(deps, tx, { organizationId, projectId }),
    }),
  }
}
