/** What is refused about automations: a part of the error catalogue, which says what a row is. */
export const AUTOMATION_ERRORS = {
  too_many_automations: {
    status: 409,
    sentence: 'The project has 50 automations, which is the most.',
    remedy: 'Delete one first.',
  },
  automation_kind_fixed: {
    status: 409,
    sentence: 'An automation keeps the kind of its trigger.',
    remedy: 'Make another automation, and delete this one.',
  },
  automation_without_address: {
    status: 409,
    sentence: 'Only an automation whose trigger is a webhook has an address.',
    remedy: 'Make an automation of the kind `webhook`.',
  },
} as const
