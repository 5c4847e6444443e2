/**
 * Typed API client without dependencies, for any runtime with `fetch`. Paths and types come from the operation table.
 */

import type { Static, TSchema } from 'typebox'
import { ADDRESSES } from '../features/addresses.ts'
import type { OPERATIONS, OperationId } from '../features/operations.ts'
import type { ArchiveProjectBody } from '../features/projects/operations/archive.ts'
import { type ClientOptions, createCaller } from './call.ts'
import { createOperationCalls } from './operation-calls.ts'

export type OctavoClient = ReturnType<typeof createClient>

type Body<Id extends OperationId> = Shape<(typeof OPERATIONS)[Id]['body']>
type Query<Id extends OperationId> = Shape<(typeof OPERATIONS)[Id]['query']>
type Shape<Schema> = Schema extends TSchema ? Static<Schema> : never

interface Once {
  idempotencyKey?: string
  signal?: AbortSignal
}

type Calls = ReturnType<typeof createOperationCalls<typeof OPERATIONS>>

export function createClient(options: ClientOptions) {
  const calls = createOperationCalls<typeof OPERATIONS>(createCaller(options), ADDRESSES)
  return {
    call: calls.call,
    ...exportCalls(calls),
    ...agentCalls(calls),
    ...feedbackCalls(calls),
    ...deploymentCalls(calls),
    ...previewCalls(calls),
    ...webhookCalls(calls),
    ...deletionCalls(calls),
  }
}

function exportCalls({ call }: Calls) {
  return {
    startExport: (body: Body<'startExport'>, more: Once = {}) => call('startExport', { body }, more),
    getExport: (jobId: string, signal?: AbortSignal) => call('getExport', { params: { jobId } }, { signal }),
    listExports: (query: Query<'listExports'> = {}) => call('listExports', { query }),
    generateBundle: (jobId: string) => call('generateBundle', { params: { jobId } }),
    cancelExport: (jobId: string) => call('cancelExport', { params: { jobId } }),
  }
}

function agentCalls({ call, stream }: Calls) {
  return {
    createAgentJob: (projectId: string, body: Body<'createAgentJob'>, more: Once = {}) =>
      call('createAgentJob', { params: { projectId }, body }, more),
    listAgentJobs: (projectId: string, query: Query<'listAgentJobs'> = {}) =>
      call('listAgentJobs', { params: { projectId }, query }),
    getAgentJob: (projectId: string, id: string, signal?: AbortSignal) =>
      call('getAgentJob', { params: { projectId, id } }, { signal }),
    sendAgentMessage: (projectId: string, id: string, body: Body<'sendAgentMessage'>, more: Once = {}) =>
      call('sendAgentMessage', { params: { projectId, id }, body }, more),
    cancelAgentJob: (projectId: string, id: string) => call('cancelAgentJob', { params: { projectId, id } }),
    publishAgentJob: (projectId: string, id: string) =>
      call('publishAgentJob', { params: { projectId, id } }),
    archiveAgentJob: (projectId: string, id: string) =>
      call('archiveAgentJob', { params: { projectId, id } }),
    acceptAgentJob: (projectId: string, id: string, options: { confirmRisks?: boolean } = {}) =>
      call('acceptAgentJob', {
        params: { projectId, id },
        ...(options.confirmRisks === true && { query: { confirmRisks: 'true' as const } }),
      }),
    declineAgentJob: (projectId: string, id: string) =>
      call('declineAgentJob', { params: { projectId, id } }),
    getAgentReview: (projectId: string, id: string) => call('getAgentReview', { params: { projectId, id } }),
    /** Streams server-sent events. Rejects if the connection breaks; `followAgentJob` resumes. */
    streamAgentEvents: (
      projectId: string,
      id: string,
      more: { lastEventId?: number; signal?: AbortSignal } = {},
    ) => stream('streamAgentEvents', { params: { projectId, id } }, more),
  }
}

function feedbackCalls({ call, stream }: Calls) {
  return {
    listFeedback: (projectId: string, query: Query<'getFeedback'> = {}) =>
      call('getFeedback', { params: { projectId }, query }),
    getFeedback: (projectId: string, feedbackId: string) =>
      call('getFeedbackEntry', { params: { projectId, feedbackId } }),
    updateFeedback: (projectId: string, feedbackId: string, body: Body<'updateFeedback'>) =>
      call('updateFeedback', { params: { projectId, feedbackId }, body }),
    updateManyFeedback: (
      projectId: string,
      query: Query<'updateManyFeedback'>,
      body: Body<'updateManyFeedback'>,
    ) => call('updateManyFeedback', { params: { projectId }, query, body }),
    /** Streams JSON lines or CSV. Rejects if the connection breaks; `downloadFeedback` resumes. */
    exportFeedback: (projectId: string, query: Query<'exportFeedback'> = {}, signal?: AbortSignal) =>
      stream('exportFeedback', { params: { projectId }, query }, { signal }),
    getFeedbackByPage: (projectId: string, query: Query<'getFeedbackByPage'> = {}) =>
      call('getFeedbackByPage', { params: { projectId }, query }),
  }
}

function deploymentCalls({ call }: Calls) {
  return {
    startDeployment: (projectId: string, more: { idempotencyKey?: string } = {}) =>
      call('startDeployment', { params: { projectId } }, more),
    getDeployment: (projectId: string, deploymentId: string) =>
      call('getDeployment', { params: { projectId, deploymentId } }),
    listDeployments: (projectId: string, query: Query<'listDeployments'> = {}) =>
      call('listDeployments', { params: { projectId }, query }),
    cancelDeployment: (projectId: string, deploymentId: string) =>
      call('cancelDeployment', { params: { projectId, deploymentId } }),
    retryDeployment: (projectId: string, deploymentId: string, more: { idempotencyKey?: string } = {}) =>
      call('retryDeployment', { params: { projectId, deploymentId } }, more),
    promoteDeployment: (projectId: string, deploymentId: string) =>
      call('promoteDeployment', { params: { projectId, deploymentId } }),
    releaseSite: (projectId: string) => call('releaseSite', { params: { projectId } }),
  }
}

function previewCalls({ call }: Calls) {
  return {
    createPreview: (projectId: string, branch: string, more: { idempotencyKey?: string } = {}) =>
      call('createPreview', { params: { projectId }, body: { branch } }, more),
    listPreviews: (projectId: string) => call('listPreviews', { params: { projectId } }),
    getPreview: (projectId: string, previewId: string) =>
      call('getPreview', { params: { projectId, previewId } }),
    rebuildPreview: (projectId: string, previewId: string, more: { idempotencyKey?: string } = {}) =>
      call('rebuildPreview', { params: { projectId, previewId } }, more),
    removePreview: (projectId: string, previewId: string) =>
      call('removePreview', { params: { projectId, previewId } }),
  }
}

function deletionCalls({ call }: Calls) {
  return {
    listDeletedProjects: () => call('listDeletedProjects'),
    getProjectHoldings: (projectId: string) => call('getProjectHoldings', { params: { projectId } }),
    deleteProject: (projectId: string, query: Query<'deleteProject'> = {}) =>
      call('deleteProject', { params: { projectId }, query }),
    listArchivedProjects: () => call('listArchivedProjects'),
    archiveProject: (projectId: string, body: ArchiveProjectBody = {}) =>
      call('archiveProject', { params: { projectId }, body }),
    unarchiveProject: (projectId: string) => call('unarchiveProject', { params: { projectId } }),
    getProjectTransfer: (projectId: string) => call('getProjectTransfer', { params: { projectId } }),
    offerTransfer: (projectId: string, body: Body<'offerTransfer'>) =>
      call('offerTransfer', { params: { projectId }, body }),
    withdrawTransfer: (projectId: string) => call('withdrawTransfer', { params: { projectId } }),
    listTransfers: (query: Query<'listTransfers'> = {}) => call('listTransfers', { query }),
    acceptTransfer: (transferId: string) => call('acceptTransfer', { params: { transferId } }),
    declineTransfer: (transferId: string) => call('declineTransfer', { params: { transferId } }),
    restoreProject: (projectId: string) => call('restoreProject', { params: { projectId } }),
    deleteFeedback: (projectId: string, body: Body<'deleteFeedback'>) =>
      call('deleteFeedback', { params: { projectId }, body }),
  }
}

function webhookCalls({ call }: Calls) {
  return {
    listWebhooks: (query: Query<'listWebhooks'> = {}) => call('listWebhooks', { query }),
    createWebhook: (body: Body<'createWebhook'>) => call('createWebhook', { body }),
    getWebhook: (webhookId: string) => call('getWebhook', { params: { webhookId } }),
    updateWebhook: (webhookId: string, body: Body<'updateWebhook'>) =>
      call('updateWebhook', { params: { webhookId }, body }),
    deleteWebhook: (webhookId: string) => call('deleteWebhook', { params: { webhookId } }),
    testWebhook: (webhookId: string) => call('testWebhook', { params: { webhookId } }),
    listWebhookDeliveries: (webhookId: string, query: Query<'listWebhookDeliveries'> = {}) =>
      call('listWebhookDeliveries', { params: { webhookId }, query }),
    replayWebhookDelivery: (webhookId: string, deliveryId: string) =>
      call('replayWebhookDelivery', { params: { webhookId, deliveryId } }),
    replayWebhook: (webhookId: string) => call('replayWebhook', { params: { webhookId } }),
  }
}
