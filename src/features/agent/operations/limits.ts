import type { LimitRow } from '../../../base/api/limits.ts'

export const AGENT_LIMITS = {
  /** Shared by accepted jobs and follow-up messages. */
  agentJobs: {
    count: 100,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AGENT_JOBS',
    help: 'Agent jobs and messages, <count>/<seconds> per project.',
    sharedBy: 'project',
  },
} as const satisfies Record<string, LimitRow>
