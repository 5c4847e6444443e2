/** PATCH /v1/webhooks/{webhookId}: address, events, note, on or off. */
import { type EndpointDeps, updateEndpoint } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function updateWebhook(
  deps: EndpointDeps,
  { tx, caller, params, body }: CallOf<'updateWebhook'>,
): AnswerOf<'updateWebhook'> {
  const webhook = await updateEndpoint(deps, tx, caller.organizationId, params.webhookId, body)
  return { body: webhook, audit: { details: body } }
}
