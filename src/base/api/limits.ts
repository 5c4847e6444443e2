/**
 * Rate limits of the API. Operators can change each limit with the environment variable in its row. The rows
 * of a feature are in its `operations/limits.ts`.
 */
export interface Limit {
  count: number
  seconds: number
}

export interface LimitRow extends Limit {
  /** Environment variable, in the form `<count>/<seconds>`. */
  env: string
  help: string
  /** Scope that shares the time window, for limits that count API operations. */
  sharedBy?: 'caller' | 'project' | 'organization' | 'address'
}

export const SHARED_LIMITS = {
  reads: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_READS',
    help: 'Requests that no other limit applies to, <count>/<seconds> per key.',
    sharedBy: 'caller',
  },
  failedKeys: {
    count: 300,
    seconds: 600,
    env: 'OCTAVO_LIMIT_FAILED_KEYS',
    help: 'Requests with an invalid key, <count>/<seconds> per IP address.',
  },
  /** One time window per caller, shared by all operations whose limit counts requests. */
  members: {
    count: 1200,
    seconds: 60,
    env: 'OCTAVO_LIMIT_MEMBERS',
    help: 'Requests from a signed-in member, <count>/<seconds>.',
    sharedBy: 'caller',
  },
} as const satisfies Record<string, LimitRow>
