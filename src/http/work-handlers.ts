/** Where the operations on work in the background meet their handlers. */
import type { WORK_OPERATIONS } from '../contract/work-operations.ts'
import type { Handlers } from './handler.ts'
import {
  type AgentWorkDeps,
  getAgentPreviews,
  getAgentWork,
  listAgentWork,
} from './routes/dashboard/agent-work.ts'
import { getExportWork, type ListExportWorkDeps, listExportWork } from './routes/dashboard/export-work.ts'
import { getWebhookDelivery } from './routes/dashboard/get-webhook-delivery.ts'

export type WorkHandlerDeps = AgentWorkDeps & ListExportWorkDeps

export function createWorkHandlers(deps: WorkHandlerDeps): Handlers<typeof WORK_OPERATIONS> {
  return {
    listAgentWork: (call) => listAgentWork(deps, call),
    getAgentWork: (call) => getAgentWork(deps, call),
    getAgentPreviews: (call) => getAgentPreviews(deps, call),
    listExportWork: (call) => listExportWork(deps, call),
    getExportWork,
    getWebhookDelivery,
  }
}
