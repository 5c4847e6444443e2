/** Dashboard routes for background work: agent jobs and exports with their initiators, and webhook deliveries. */

import type { CursorCodec } from '../../base/signed-cursor.ts'
import type { Handlers } from '../../routing/handler.ts'
import { createActorLookup } from '../accounts/audit/name-actors.ts'
import { getAgentWork, listAgentWork } from '../agent/read-work.ts'
import { openReview, type ReviewDeps, readPreviews } from '../agent/review/review.ts'
import type { AgentSetup } from '../agent/setup.ts'
import { getExportWork, listExportWork } from '../export/read-work.ts'
import { deploymentLinks } from '../hosting/deploy/deployment-links.ts'
import { getDeploymentWork, listDeploymentWork, readPointer } from '../hosting/deploy/read-deployments.ts'
import { getDelivery } from '../webhooks/read-deliveries.ts'
import type { WORK_OPERATIONS } from './operations/work.ts'

interface WorkDeps extends ReviewDeps {
  cursors: CursorCodec
  agent: AgentSetup
  publicUrl: () => string
}

export function workHandlers(deps: WorkDeps): Handlers<typeof WORK_OPERATIONS> {
  return {
    async listAgentWork({ db, caller: { organizationId }, params, query }) {
      const { jobs, ...page } = await listAgentWork(deps, db, { organizationId, ...params }, query)
      const ids = jobs.map(({ startedBy }) => startedBy)
      const nameOf = await createActorLookup(db, organizationId, ids)
      const named = jobs.map(({ work, startedBy }) => ({ ...work, startedBy: nameOf(startedBy) }))
      return { body: { jobs: named, ...page } }
    },
    async getAgentWork({ db, caller: { organizationId }, params: { projectId, id } }) {
      const found = await getAgentWork(deps, db, { organizationId, projectId }, id)
      const { work, more, startedBy, prompts } = found
      const ids = [startedBy, ...prompts.map(({ askedBy }) => askedBy)]
      const nameOf = await createActorLookup(db, organizationId, ids)
      return {
        body: {
          ...work,
          ...more,
          startedBy: nameOf(startedBy),
          prompts: prompts.map(({ askedBy, ...prompt }) => ({ ...prompt, askedBy: nameOf(askedBy) })),
        },
      }
    },
    getAgentPreviews: async ({ db, caller, params }) => ({
      body: { pages: await readPreviews(deps, db, { organizationId: caller.organizationId, ...params }) },
    }),
    openReview: async ({ db, body }) => ({ body: await openReview(deps, db, body) }),
    async listExportWork({ db, caller: { organizationId }, params, query }) {
      const { exports, ...page } = await listExportWork(deps, db, { organizationId, ...params }, query)
      const ids = exports.map(({ startedBy }) => startedBy)
      const nameOf = await createActorLookup(db, organizationId, ids)
      const named = exports.map(({ work, startedBy }) => ({ ...work, startedBy: nameOf(startedBy) }))
      return { body: { exports: named, ...page } }
    },
    async getExportWork({ db, caller: { organizationId }, params: { projectId, jobId } }) {
      const { work, startedBy } = await getExportWork(db, { organizationId, projectId }, jobId)
      const nameOf = await createActorLookup(db, organizationId, [startedBy])
      return { body: { ...work, startedBy: nameOf(startedBy) } }
    },
    async listDeploymentWork({ db, caller: { organizationId }, params, query }) {
      const { works, ...page } = await listDeploymentWork(deps, db, { organizationId, ...params }, query)
      const ids = works.map(({ startedBy }) => startedBy)
      const nameOf = await createActorLookup(db, organizationId, ids)
      const deployments = works.map((work) => ({ ...work, startedBy: nameOf(work.startedBy) }))
      return { body: { deployments, pointer: await readPointer(db, params.projectId), ...page } }
    },
    async getDeploymentWork({ db, caller: { organizationId }, params: { projectId, deploymentId } }) {
      const scope = { organizationId, projectId }
      const { deployment, startedBy } = await getDeploymentWork(db, scope, deploymentId)
      const [nameOf, pointer, links] = await Promise.all([
        createActorLookup(db, organizationId, [startedBy]),
        readPointer(db, projectId),
        deploymentLinks(deps, db, scope, deployment.revision),
      ])
      return { body: { deployment, startedBy: nameOf(startedBy), pointer, ...links } }
    },
    getWebhookDelivery: async ({ db, caller: { organizationId }, params: { webhookId, deliveryId } }) => ({
      body: await getDelivery(db, { organizationId, webhookId }, deliveryId, deps.publicUrl()),
    }),
  }
}
