import type { LimitRow } from '../../../base/api/limits.ts'

export const EXPORT_LIMITS = {
  exportStarts: {
    count: 20,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_EXPORTS',
    help: 'Static exports started, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
} as const satisfies Record<string, LimitRow>
