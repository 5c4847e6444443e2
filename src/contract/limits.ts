/** Rate limits of the interface; operators can change every one of them. */
export interface Limit {
  count: number
  seconds: number
}

export type LimitName = 'analytics' | 'agentJobs' | 'exportStarts' | 'reads' | 'failedKeys' | 'newKeys'

export const DEFAULT_LIMITS: Record<LimitName, Limit> = {
  /** An organization, all analytics endpoints together. */
  analytics: { count: 100, seconds: 3600 },
  /** A project, accepted creates and follow-up messages together. */
  agentJobs: { count: 100, seconds: 3600 },
  /** An organization, accepted starts. */
  exportStarts: { count: 20, seconds: 3600 },
  /** A key. */
  reads: { count: 600, seconds: 60 },
  /** An address. */
  failedKeys: { count: 300, seconds: 600 },
  /** An organization. */
  newKeys: { count: 10, seconds: 3600 },
}
