import type { LimitRow } from '../../../base/api/limits.ts'

export const FEEDBACK_LIMITS = {
  feedback: {
    count: 30,
    seconds: 60,
    env: 'OCTAVO_LIMIT_FEEDBACK',
    help: 'Feedback from readers, <count>/<seconds> per IP address and site.',
  },
  agentFeedback: {
    count: 60,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AGENT_FEEDBACK',
    help: 'Feedback from AI agents, <count>/<seconds> per IP address and site.',
  },
  siteFeedback: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_FEEDBACK',
    help: 'Feedback per site, <count>/<seconds>; above this, senders must solve a proof-of-work challenge.',
  },
} as const satisfies Record<string, LimitRow>
