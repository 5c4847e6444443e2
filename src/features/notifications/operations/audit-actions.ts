export const NOTIFICATION_ACTIONS = {
  'instance.mail_changed': 'changed the mail server',
  'instance.mail_tested': 'tested a mail server',
} as const
