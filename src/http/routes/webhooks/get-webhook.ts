/** GET /v1/webhooks/{webhookId} */
import { findEndpoint, toWebhook } from '../../../webhooks/endpoints.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function getWebhook({ db, caller, params }: CallOf<'getWebhook'>): AnswerOf<'getWebhook'> {
  return { body: toWebhook(await findEndpoint(db, caller.organizationId, params.webhookId)) }
}
