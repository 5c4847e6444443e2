/** Query key of the webhooks. */
export const WEBHOOKS_KEY = ['listWebhooks'] as const
