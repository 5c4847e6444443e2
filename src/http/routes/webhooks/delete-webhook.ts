/** DELETE /v1/webhooks/{webhookId}: with its deliveries. */
import { deleteEndpoint } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function deleteWebhook({
  tx,
  caller,
  params,
}: CallOf<'deleteWebhook'>): AnswerOf<'deleteWebhook'> {
  await deleteEndpoint(tx, caller.organizationId, params.webhookId)
  return { body: params }
}
