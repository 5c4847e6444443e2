/** Routes of webhooks and their deliveries. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import { type Handlers, locationHeader, validating } from '../../routing/handler.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  findEndpoint,
  findUpdateFaults,
  listEndpoints,
  toWebhook,
  updateEndpoint,
  urlFaults,
} from './endpoints.ts'
import { WEBHOOK_OPERATIONS } from './operations/webhooks.ts'
import { listDeliveries, replayDeadDeliveries, replayDelivery, testEndpoint } from './read-deliveries.ts'

interface WebhookDeps extends EndpointDeps {
  cursors: CursorCodec
  publicUrl: () => string
}

export function webhookHandlers(deps: WebhookDeps): Handlers<typeof WEBHOOK_OPERATIONS> {
  const faultsOfUrl = (body: unknown) => {
    const url = (body as { url?: unknown } | null | undefined)?.url
    return typeof url === 'string' && url !== '' ? urlFaults(deps, url) : []
  }
  return {
    listWebhooks: async ({ db, caller, query }) => ({
      body: await listEndpoints(deps, db, caller, query),
    }),
    createWebhook: validating(
      ({ body }) => faultsOfUrl(body),
      async ({ tx, caller, body }) => {
        const webhook = await createEndpoint(deps, tx, caller, body)
        const { webhookId, url, format, events, projectId } = webhook
        return {
          body: webhook,
          headers: locationHeader(deps, WEBHOOK_OPERATIONS.getWebhook, { webhookId }),
          audit: { subject: webhookId, details: { url, format, events, projectId } },
        }
      },
    ),
    getWebhook: async ({ db, caller, params }) => ({
      body: toWebhook(await findEndpoint(db, caller.organizationId, params.webhookId)),
    }),
    updateWebhook: validating(
      ({ body }) => [...findUpdateFaults(body), ...faultsOfUrl(body)],
      async ({ tx, caller, params, body }) => {
        const webhook = await updateEndpoint(deps, tx, caller.organizationId, params.webhookId, body)
        // Logs the masked URL, because the URL of a chat is secret.
        const details = { ...body, ...(body.url === undefined ? {} : { url: webhook.url }) }
        return { body: webhook, audit: { details } }
      },
    ),
    async deleteWebhook({ tx, caller, params }) {
      await deleteEndpoint(tx, caller.organizationId, params.webhookId)
      return { body: params }
    },
    testWebhook: async ({ tx, caller: { organizationId }, params }) => ({
      body: await testEndpoint(tx, { organizationId, ...params }),
    }),
    listWebhookDeliveries: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await listDeliveries(deps, db, { organizationId, ...params }, query),
    }),
    replayWebhookDelivery: async ({ tx, caller: { organizationId }, params: { webhookId, deliveryId } }) => ({
      body: await replayDelivery(tx, { organizationId, webhookId }, deliveryId),
      audit: { subject: webhookId, details: { deliveryId } },
    }),
    async replayWebhook({ tx, caller: { organizationId }, params }) {
      const replayed = await replayDeadDeliveries(tx, { organizationId, ...params })
      return { body: replayed, audit: { details: { replayed: replayed.replayed } } }
    },
  }
}
