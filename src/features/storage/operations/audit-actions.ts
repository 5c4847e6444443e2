export const STORAGE_ACTIONS = {
  'instance.retention_changed': 'changed data retention for the server',
} as const
