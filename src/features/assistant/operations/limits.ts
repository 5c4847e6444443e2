import type { LimitRow } from '../../../base/api/limits.ts'

export const ASSISTANT_LIMITS = {
  questions: {
    count: 20,
    seconds: 600,
    env: 'OCTAVO_LIMIT_QUESTIONS',
    help: "Questions to a site's assistant, <count>/<seconds> per IP address.",
  },
  siteQuestions: {
    count: 600,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_SITE_QUESTIONS',
    help: 'Questions to the assistant, <count>/<seconds> per site.',
  },
} as const satisfies Record<string, LimitRow>
