import type { LimitRow } from '../../../base/api/limits.ts'
import type { ANALYTICS_LIMITS } from '../../analytics/operations/limits.ts'
import type { ASSISTANT_LIMITS } from '../../assistant/operations/limits.ts'
import type { FEEDBACK_LIMITS } from '../../feedback/operations/limits.ts'

export const READER_LIMITS = {
  calls: {
    count: 60,
    seconds: 60,
    env: 'OCTAVO_LIMIT_CALLS',
    help: 'API playground calls through this server, <count>/<seconds> per IP address and site, counted separately on each server.',
  },
  siteCalls: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_CALLS',
    help: 'API playground calls through this server, <count>/<seconds> per site, counted separately on each server.',
  },
  searches: {
    count: 120,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SEARCHES',
    help: 'Site searches over the API, <count>/<seconds> per IP address, counted separately on each server.',
  },
  siteSearches: {
    count: 3000,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_SEARCHES',
    help: 'Site searches over the API, <count>/<seconds> in total, counted separately on each server.',
  },
  mcp: {
    count: 5000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_MCP',
    help: "Messages to a site's MCP server, <count>/<seconds> per IP address, counted separately on each server.",
  },
  siteMcp: {
    count: 100_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_SITE_MCP',
    help: "Messages to a site's MCP server, <count>/<seconds> in total, counted separately on each server.",
  },
  discoveryMessages: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_MESSAGES',
    help: 'Assistant messages sent with an API key, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
  discoveryAddresses: {
    count: 10_000,
    seconds: 86_400,
    env: 'OCTAVO_LIMIT_DISCOVERY_ADDRESSES',
    help: 'Assistant messages sent with an API key, <count>/<seconds> per IP address.',
    sharedBy: 'address',
  },
  discoverySearches: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_SEARCHES',
    help: 'Site searches with an API key, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
  discoveryPages: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_PAGES',
    help: 'Site pages read with an API key, <count>/<seconds> per organization.',
    sharedBy: 'organization',
  },
} as const satisfies Record<string, LimitRow>

export type ReaderLimitName = keyof (typeof READER_LIMITS &
  typeof FEEDBACK_LIMITS &
  typeof ASSISTANT_LIMITS &
  typeof ANALYTICS_LIMITS)
