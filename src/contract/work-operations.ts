/** What the dashboard asks of work in the background beside the public API: rows of the table of the internal API. */
import { AgentJobParams } from './agent.ts'
import type { DashboardOperation } from './dashboard-operations.ts'
import { ProjectParams } from './dashboard-projects.ts'
import {
  AgentPreviews,
  AgentWorkDetail,
  AgentWorkList,
  AgentWorkQuery,
  ExportWork,
  ExportWorkList,
  ExportWorkParams,
  ExportWorkQuery,
  WebhookDeliveryDetail,
} from './dashboard-work.ts'
import { WebhookDeliveryParams } from './webhooks.ts'

const AGENT_JOBS = '/internal/projects/{projectId}/agent-jobs'
const EXPORTS = '/internal/projects/{projectId}/exports'

const READ = {
  method: 'GET',
  area: 'dashboard',
  permission: 'read',
  limit: { name: 'members', counts: 'request' },
  query: null,
  body: null,
  errors: [400, 404],
} as const

export const WORK_OPERATIONS = {
  listAgentWork: {
    ...READ,
    path: AGENT_JOBS,
    summary: 'List agent jobs with who began them and what they cost, newest first',
    params: ProjectParams,
    query: AgentWorkQuery,
    success: { status: 200, schema: AgentWorkList },
  },
  getAgentWork: {
    ...READ,
    path: `${AGENT_JOBS}/{id}`,
    summary: 'An agent job with its prompts, the feedback it answers, and how much of its caps it has used',
    params: AgentJobParams,
    success: { status: 200, schema: AgentWorkDetail },
  },
  getAgentPreviews: {
    ...READ,
    path: `${AGENT_JOBS}/{id}/previews`,
    summary: 'Where the changed pages of an agent job are, rendered before and after the change',
    params: AgentJobParams,
    success: { status: 200, schema: AgentPreviews },
  },
  listExportWork: {
    ...READ,
    path: EXPORTS,
    summary: 'List static exports of a project with who began them and what was chosen, newest first',
    params: ProjectParams,
    query: ExportWorkQuery,
    success: { status: 200, schema: ExportWorkList },
  },
  getExportWork: {
    ...READ,
    path: `${EXPORTS}/{jobId}`,
    summary: 'A static export of a project with its warnings, who began it and what was chosen',
    params: ExportWorkParams,
    success: { status: 200, schema: ExportWork },
  },
  getWebhookDelivery: {
    ...READ,
    path: '/internal/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'A delivery of a webhook with the body that is sent',
    permission: 'webhooks',
    params: WebhookDeliveryParams,
    success: { status: 200, schema: WebhookDeliveryDetail },
  },
} as const satisfies Record<string, DashboardOperation>
