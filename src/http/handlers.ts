/** Where each operation meets its handler; the compiler demands every row of the table. */

import { limitReached } from '../accounts/rate-state.ts'
import type { OPERATIONS, OperationId } from '../contract/operations.ts'
import type { FeedbackEventDeps } from '../feedback/events.ts'
import { createFloodWatch } from '../feedback/flood-watch.ts'
import { type AgentHandlerDeps, createAgentHandlers } from './agent-handlers.ts'
import type { Handlers } from './handler.ts'
import type { ShapeRule } from './operation-route.ts'
import type { ReaderHandlers, ReaderRouteDeps } from './reader-route.ts'
import { getDeployment } from './routes/deployments/get-deployment.ts'
import { type StartDeploymentRouteDeps, startDeployment } from './routes/deployments/start-deployment.ts'
import { cancelExport } from './routes/export/cancel-export.ts'
import { type GenerateBundleDeps, generateBundle } from './routes/export/generate-bundle.ts'
import { getExport } from './routes/export/get-export.ts'
import { type ListExportsDeps, listExports } from './routes/export/list-exports.ts'
import { type StartExportRouteDeps, startExport } from './routes/export/start-export.ts'
import { streamExportEvents } from './routes/export/stream-export-events.ts'
import { exportFeedback } from './routes/feedback/export-feedback.ts'
import { feedbackRules } from './routes/feedback/feedback-rules.ts'
import { getFeedback } from './routes/feedback/get-feedback.ts'
import { getFeedbackByPage } from './routes/feedback/get-feedback-by-page.ts'
import { getFeedbackEntry } from './routes/feedback/get-feedback-entry.ts'
import { updateFeedback } from './routes/feedback/update-feedback.ts'
import { updateManyFeedback } from './routes/feedback/update-many-feedback.ts'
import { submissionRule, submitFeedback } from './routes/reader/submit-feedback.ts'
import { withdrawFeedback } from './routes/reader/withdraw-feedback.ts'
import { type CreateWebhookDeps, createWebhook } from './routes/webhooks/create-webhook.ts'
import { deleteWebhook } from './routes/webhooks/delete-webhook.ts'
import { getWebhook } from './routes/webhooks/get-webhook.ts'
import { listWebhookDeliveries } from './routes/webhooks/list-webhook-deliveries.ts'
import { listWebhooks } from './routes/webhooks/list-webhooks.ts'
import { replayWebhook } from './routes/webhooks/replay-webhook.ts'
import { replayWebhookDelivery } from './routes/webhooks/replay-webhook-delivery.ts'
import { testWebhook } from './routes/webhooks/test-webhook.ts'
import { updateWebhook } from './routes/webhooks/update-webhook.ts'
import { webhookRules } from './routes/webhooks/webhook-rules.ts'

/** What the handlers need, all together; each of them is typed to the few that it uses. */
export type HandlerDeps = StartExportRouteDeps &
  ListExportsDeps &
  GenerateBundleDeps &
  StartDeploymentRouteDeps &
  FeedbackEventDeps &
  AgentHandlerDeps &
  CreateWebhookDeps & {
    /** Of the node: keys hashes and challenges. */
    secret: string
  }

export function createHandlers(deps: HandlerDeps): Handlers<typeof OPERATIONS> {
  return {
    startExport: (call) => startExport(deps, call),
    listExports: (call) => listExports(deps, call),
    getExport,
    generateBundle: (call) => generateBundle(deps, call),
    cancelExport,
    streamExportEvents: (call) => streamExportEvents(call),
    startDeployment: (call) => startDeployment(deps, call),
    getDeployment,
    getFeedback: (call) => getFeedback(deps, call),
    updateManyFeedback: (call) => updateManyFeedback(deps, call),
    getFeedbackByPage: (call) => getFeedbackByPage(deps, call),
    exportFeedback: (call) => exportFeedback(deps, call),
    getFeedbackEntry,
    updateFeedback: (call) => updateFeedback(deps, call),
    ...createAgentHandlers(deps),
    listWebhooks: (call) => listWebhooks(deps, call),
    createWebhook: (call) => createWebhook(deps, call),
    getWebhook,
    updateWebhook: (call) => updateWebhook(deps, call),
    deleteWebhook,
    testWebhook,
    listWebhookDeliveries: (call) => listWebhookDeliveries(deps, call),
    replayWebhookDelivery,
    replayWebhook,
  }
}

export function createReaderHandlers(deps: HandlerDeps & ReaderRouteDeps): ReaderHandlers {
  const flood = createFloodWatch(deps.database.queries, deps.limits.siteFeedback)
  const { count, seconds } = deps.limits.siteFeedback
  const full = {
    accepted: false,
    limit: count,
    remaining: 0,
    resetSeconds: seconds,
    retryAfterSeconds: seconds,
  }
  const floodHeaders = limitReached({ ...full, name: 'siteFeedback', seconds }).headers
  const intake = { ...deps, flood, floodHeaders }
  return {
    submitFeedback: {
      rule: (given) => submissionRule(deps, given),
      handle: (call) => submitFeedback(intake, call),
    },
    withdrawFeedback: { handle: withdrawFeedback },
  }
}

/** What the schemas of some operations cannot say of a request. */
export function createShapeRules(deps: HandlerDeps): Partial<Record<OperationId, ShapeRule>> {
  return { ...feedbackRules(deps), ...webhookRules(deps) }
}
