/** The operations on webhooks, as calls of the client. */
import type {
  CreatedWebhook,
  CreateWebhookBody,
  DeletedWebhook,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  ReplayedDeliveries,
  UpdateWebhookBody,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
} from '../contract/webhooks.ts'
import { type Caller, queryOf } from './call.ts'

const WEBHOOKS = '/v1/webhooks'

export function webhookCalls(call: Caller['call']) {
  const webhook = (webhookId: string) => `${WEBHOOKS}/${encodeURIComponent(webhookId)}`
  return {
    listWebhooks: (query: ListWebhooksQuery = {}) =>
      call<WebhookList>({ method: 'GET', path: WEBHOOKS + queryOf(query) }),
    createWebhook: (body: CreateWebhookBody) =>
      call<CreatedWebhook>({ method: 'POST', path: WEBHOOKS, body }),
    getWebhook: (webhookId: string) => call<Webhook>({ method: 'GET', path: webhook(webhookId) }),
    updateWebhook: (webhookId: string, body: UpdateWebhookBody) =>
      call<Webhook>({ method: 'PATCH', path: webhook(webhookId), body }),
    deleteWebhook: (webhookId: string) =>
      call<DeletedWebhook>({ method: 'DELETE', path: webhook(webhookId) }),
    testWebhook: (webhookId: string) =>
      call<WebhookDelivery>({ method: 'POST', path: `${webhook(webhookId)}/test` }),
    listWebhookDeliveries: (webhookId: string, query: ListDeliveriesQuery = {}) =>
      call<WebhookDeliveryList>({ method: 'GET', path: `${webhook(webhookId)}/deliveries${queryOf(query)}` }),
    replayWebhookDelivery: (webhookId: string, deliveryId: string) =>
      call<WebhookDelivery>({
        method: 'POST',
        path: `${webhook(webhookId)}/deliveries/${encodeURIComponent(deliveryId)}/replay`,
      }),
    replayWebhook: (webhookId: string) =>
      call<ReplayedDeliveries>({ method: 'POST', path: `${webhook(webhookId)}/replay` }),
  }
}
