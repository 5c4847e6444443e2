/** POST /v1/webhooks/{webhookId}/replay: everything that is dead. */
import { replayDead } from '../../../webhooks/read-deliveries.ts'
import type { AnswerOf, CallOf } from '../../handler.ts'

export async function replayWebhook({
  tx,
  caller,
  params,
}: CallOf<'replayWebhook'>): AnswerOf<'replayWebhook'> {
  const replayed = await replayDead(tx, { organizationId: caller.organizationId, ...params })
  return { body: replayed, audit: { details: { replayed: replayed.replayed } } }
}
