/** GET /internal/webhooks/{webhookId}/deliveries/{deliveryId}: with the body that is sent. */
import { getDelivery } from '../../../webhooks/read-deliveries.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function getWebhookDelivery({
  db,
  caller: { organizationId },
  params: { webhookId, deliveryId },
}: DashboardCallOf<'getWebhookDelivery'>): DashboardAnswerOf<'getWebhookDelivery'> {
  return { body: await getDelivery(db, { organizationId, webhookId }, deliveryId) }
}
