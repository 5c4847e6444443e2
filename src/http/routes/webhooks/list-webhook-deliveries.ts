/** GET /v1/webhooks/{webhookId}/deliveries: the newest event first, page by page. */
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import { listDeliveries } from '../../../webhooks/read-deliveries.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export interface ListWebhookDeliveriesDeps {
  cursors: CursorCodec
}

export async function listWebhookDeliveries(
  deps: ListWebhookDeliveriesDeps,
  { db, caller, params, query }: CallOf<'listWebhookDeliveries'>,
): AnswerOf<'listWebhookDeliveries'> {
  const place = { organizationId: caller.organizationId, ...params }
  return { body: await listDeliveries(deps, db, place, query) }
}
