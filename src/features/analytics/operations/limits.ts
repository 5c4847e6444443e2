import type { LimitRow } from '../../../base/api/limits.ts'

export const ANALYTICS_LIMITS = {
  /** Shared by all analytics endpoints. */
  analytics: {
    count: 100,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_ANALYTICS',
    help: 'Analytics requests, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
  pageEvents: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_PAGE_EVENTS',
    help: 'Web analytics batches, <count>/<seconds> per IP address and site, counted separately on each server.',
  },
  sitePageEvents: {
    count: 120_000,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_PAGE_EVENTS',
    help: 'Web analytics events, <count>/<seconds> per site, counted separately on each server; a batch counts as at least ten events.',
  },
} as const satisfies Record<string, LimitRow>
