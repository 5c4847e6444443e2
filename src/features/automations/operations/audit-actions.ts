export const AUTOMATION_ACTIONS = {
  'automation.address_renewed': 'replaced the URL of automation {}',
  'automation.created': 'created automation {}',
  'automation.deleted': 'deleted automation {}',
  'automation.run': 'ran automation {}',
  'automation.updated': 'changed automation {}',
} as const
