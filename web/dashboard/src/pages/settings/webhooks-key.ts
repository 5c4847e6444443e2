/** Where the answers about webhooks are kept. */
export const WEBHOOKS_KEY = ['listWebhooks'] as const
