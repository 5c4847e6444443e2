/** The settings of the assistant of readers; see config-options.ts. */

export const ASSISTANT_OPTIONS = {
  assistantModel: {
    env: 'OCTAVO_ASSISTANT_MODEL',
    help: 'Language model that answers the questions of readers, <provider>:<model> as for OCTAVO_MODEL, at the address in OCTAVO_MODEL_URL when the provider is the same one or OCTAVO_MODEL is left out. Sites show the assistant from their next deployment on. Left out: the assistant is off.',
  },
  assistantQuestions: {
    env: 'OCTAVO_ASSISTANT_QUESTIONS',
    default: '5000',
    help: 'Questions of readers that are answered for one project in a calendar month (UTC), 0 to 10000000.',
  },
  assistantTokens: {
    env: 'OCTAVO_ASSISTANT_TOKENS',
    default: '30000000',
    help: 'Tokens that the answers for one project may use in a calendar month (UTC), input and output together, 0 to 100000000000: the cap of what they cost.',
  },
} as const
