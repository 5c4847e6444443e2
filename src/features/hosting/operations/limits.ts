import type { LimitRow } from '../../../base/api/limits.ts'

export const HOSTING_LIMITS = {
  /** Shared by project updates and automation triggers. */
  projectUpdates: {
    count: 10,
    seconds: 10,
    env: 'OCTAVO_LIMIT_PROJECT_UPDATES',
    help: 'Project updates and triggered automations, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
  previews: {
    count: 5,
    seconds: 60,
    env: 'OCTAVO_LIMIT_PREVIEWS',
    help: 'Previews requested over the API, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
} as const satisfies Record<string, LimitRow>
