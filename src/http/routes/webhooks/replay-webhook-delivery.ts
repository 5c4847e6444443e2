/** POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay: all tries again, under the same id. */
import { replayDelivery } from '../../../webhooks/read-deliveries.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function replayWebhookDelivery({
  tx,
  caller,
  params,
}: CallOf<'replayWebhookDelivery'>): AnswerOf<'replayWebhookDelivery'> {
  const { webhookId, deliveryId } = params
  const place = { organizationId: caller.organizationId, webhookId }
  return {
    body: await replayDelivery(tx, place, deliveryId),
    audit: { subject: webhookId, details: { deliveryId } },
  }
}
