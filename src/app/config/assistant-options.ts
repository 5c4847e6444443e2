/** The settings of the assistant of readers; see config-options.ts. */
import { whole } from './option.ts'

export const ASSISTANT_OPTIONS = {
  assistantModel: {
    env: 'OCTAVO_ASSISTANT_MODEL',
    help: 'Language model that answers the questions of readers, <provider>:<model> as for OCTAVO_MODEL, at the address in OCTAVO_MODEL_URL when the provider is the same one or OCTAVO_MODEL is left out. Sites show the assistant from their next deployment on. Left out: the assistant is off.',
  },
  assistantQuestions: whole(0, 10_000_000, {
    env: 'OCTAVO_ASSISTANT_QUESTIONS',
    default: '5000',
    help: 'Questions of readers that are answered for one project in a calendar month (UTC), {range}.',
  }),
  assistantTokens: whole(0, 100_000_000_000, {
    env: 'OCTAVO_ASSISTANT_TOKENS',
    default: '30000000',
    help: 'Tokens that the answers for one project may use in a calendar month (UTC), input and output together, {range}: the cap of what they cost.',
  }),
} as const
