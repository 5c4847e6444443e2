/** Webhook messages, as the `webhooks` of the OpenAPI description. */
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
  header('webhook-id', 'Id of the event: the same in each try, so that a repetition can be recognised.'),
  header('webhook-timestamp', 'Unix time of this try in seconds.'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256, in base64, of id, timestamp and body joined by dots, as Standard Webhooks have it.',
  ),
]

const RESPONSES: Json = {
  '2XX': { description: 'Received. Anything else is tried again for three days.' },
  410: { description: 'No more, please: the webhook is switched off.' },
}

/** `refer` creates a reference to a schema in the components. */
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
