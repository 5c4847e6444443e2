export const WEBHOOKS_KEY = ['listWebhooks'] as const
