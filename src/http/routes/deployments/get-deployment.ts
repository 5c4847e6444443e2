/** GET /v1/deployments/{projectId}/{deploymentId} */
import { getDeployment as get } from '../../../hosting/start-deployment.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getDeployment({
  db,
  caller,
  params,
}: CallOf<'getDeployment'>): AnswerOf<'getDeployment'> {
  const place = { organizationId: caller.organizationId, projectId: params.projectId }
  return { body: await get(db, place, params.deploymentId) }
}
