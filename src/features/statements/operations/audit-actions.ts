export const STATEMENT_ACTIONS = {
  'project.statements_changed': 'changed the statement checks of {}',
  'statement.confirmed': 'confirmed a statement in {}, or withdrew the confirmation',
} as const
