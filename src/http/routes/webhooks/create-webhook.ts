/** POST /v1/webhooks: the signing secret is in this answer, and in none after it. */
import { recordAudit } from '../../../accounts/audit.ts'
import { createEndpoint, type EndpointDeps } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface CreateWebhookDeps extends EndpointDeps {
  publicUrl: () => string
}

export async function createWebhook(
  deps: CreateWebhookDeps,
  { tx, caller, body }: CallOf<'createWebhook'>,
): AnswerOf<'createWebhook'> {
  const { organizationId, id: actor } = caller
  const webhook = await createEndpoint(deps, tx, organizationId, body)
  const { webhookId: subject, url, events, projectId } = webhook
  const details = { url, events, projectId }
  await recordAudit(tx, { organizationId, actor, action: 'webhook.created', subject, details })
  return { body: webhook, headers: { Location: `${deps.publicUrl()}/v1/webhooks/${subject}` } }
}
