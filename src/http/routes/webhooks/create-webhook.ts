/** POST /v1/webhooks: the signing secret is in this answer, and in none after it. */
import { createEndpoint, type EndpointDeps } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface CreateWebhookDeps extends EndpointDeps {
  publicUrl: () => string
}

export async function createWebhook(
  deps: CreateWebhookDeps,
  { tx, caller, body }: CallOf<'createWebhook'>,
): AnswerOf<'createWebhook'> {
  const webhook = await createEndpoint(deps, tx, caller.organizationId, body)
  const { webhookId: subject, url, events, projectId } = webhook
  return {
    body: webhook,
    headers: { Location: `${deps.publicUrl()}/v1/webhooks/${subject}` },
    audit: { subject, details: { url, events, projectId } },
  }
}
