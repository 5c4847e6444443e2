/** PATCH /v1/webhooks/{webhookId}: address, events, note, on or off. */
import { recordAudit } from '../../../accounts/audit.ts'
import { type EndpointDeps, updateEndpoint } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function updateWebhook(
  deps: EndpointDeps,
  { tx, caller, params, body }: CallOf<'updateWebhook'>,
): AnswerOf<'updateWebhook'> {
  const { organizationId, id: actor } = caller
  const webhook = await updateEndpoint(deps, tx, organizationId, params.webhookId, body)
  const subject = webhook.webhookId
  await recordAudit(tx, { organizationId, actor, action: 'webhook.updated', subject, details: body })
  return { body: webhook }
}
