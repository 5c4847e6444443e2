/** Describes webhook messages in the `webhooks` of the OpenAPI description. */
import type { TSchema } from 'typebox'
import { WEBHOOK_MESSAGES } from '../../features/webhooks/operations/webhooks.ts'

type Json = { [key: string]: unknown }

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const HEADERS: Json[] = [
  header('webhook-id', 'ID of the event, the same in each attempt, to detect duplicates.'),
  header('webhook-timestamp', 'Unix time of this attempt, in seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256, in base64, of id, timestamp and body joined by dots, as Standard Webhooks have it.',
  ),
]

const RESPONSES: Json = {
  '2XX': { description: 'Received. Any other response is retried for three days.' },
  410: { description: 'The receiver wants no more deliveries. The webhook is turned off.' },
}

export function describeWebhooks(refer: (schema: TSchema) => Json): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(WEBHOOK_MESSAGES).map(([type, { summary, schema }]) => [
      type,
      {
        post: {
          summary: type,
          description: `${summary}.`,
          tags: ['Webhooks'],
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { 'application/json': { schema: refer(schema) } } },
          responses: RESPONSES,
        },
      },
    ]),
  )
}
