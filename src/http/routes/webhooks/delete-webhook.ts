/** DELETE /v1/webhooks/{webhookId}: with its deliveries. */
import { recordAudit } from '../../../accounts/audit.ts'
import { deleteEndpoint } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function deleteWebhook({
  tx,
  caller,
  params,
}: CallOf<'deleteWebhook'>): AnswerOf<'deleteWebhook'> {
  const { organizationId, id: actor } = caller
  const { webhookId: subject } = params
  await deleteEndpoint(tx, organizationId, subject)
  await recordAudit(tx, { organizationId, actor, action: 'webhook.deleted', subject })
  return { body: { webhookId: subject } }
}
