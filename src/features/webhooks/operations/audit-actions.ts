export const WEBHOOK_ACTIONS = {
  'webhook.created': 'created webhook {}',
  'webhook.deleted': 'deleted webhook {}',
  'webhook.deliveries_replayed': 'resent deliveries of webhook {}',
  'webhook.disabled': 'turned off webhook {}',
  'webhook.tested': 'tested webhook {}',
  'webhook.updated': 'changed webhook {}',
} as const
