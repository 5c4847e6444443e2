import type { LimitRow } from '../../../base/api/limits.ts'

export const AUTOMATION_LIMITS = {
  automationMessages: {
    count: 60,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AUTOMATION_MESSAGES',
    help: "Messages to an automation's webhook URL, <count>/<seconds> per automation.",
  },
} as const satisfies Record<string, LimitRow>
