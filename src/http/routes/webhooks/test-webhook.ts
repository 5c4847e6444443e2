/** POST /v1/webhooks/{webhookId}/test: the delivery is under way; the list of deliveries tells how it went. */
import { testEndpoint } from '../../../webhooks/read-deliveries.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function testWebhook({ tx, caller, params }: CallOf<'testWebhook'>): AnswerOf<'testWebhook'> {
  return { body: await testEndpoint(tx, { organizationId: caller.organizationId, ...params }) }
}
