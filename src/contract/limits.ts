/** Rate limits of the interface; operators can change every one of them. */
export interface Limit {
  count: number
  seconds: number
}

export type LimitName =
  | 'analytics'
  | 'agentJobs'
  | 'exportStarts'
  | 'reads'
  | 'failedKeys'
  | 'newKeys'
  | 'feedback'
  | 'agentFeedback'
  | 'siteFeedback'
  | 'pageEvents'
  | 'sitePageEvents'
  | 'questions'
  | 'siteQuestions'
  | 'calls'
  | 'siteCalls'
  | 'searches'
  | 'siteSearches'
  | 'mcp'
  | 'siteMcp'
  | 'members'
  | 'signIns'
  | 'links'
  | 'automationMessages'
  | 'previews'

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
  /** An address at a site: what readers say. */
  feedback: { count: 30, seconds: 60 },
  /** An address at a site: what AI agents say. */
  agentFeedback: { count: 60, seconds: 3600 },
  /** A site: beyond it, each entry costs its sender some computing. */
  siteFeedback: { count: 600, seconds: 60 },
  /** An address at a site, in each process of a server: batches of what pages tell of how they are read. */
  pageEvents: { count: 600, seconds: 60 },
  /** A site, in each process of a server: events in such batches, of which each counts as ten at least. */
  sitePageEvents: { count: 120_000, seconds: 60 },
  /** An address at a site: questions to the assistant. */
  questions: { count: 20, seconds: 600 },
  /** A site: questions to the assistant. */
  siteQuestions: { count: 600, seconds: 3600 },
  /** An address at a site, in each process of a server: calls of the playground through the platform. */
  calls: { count: 60, seconds: 60 },
  /** A site, in each process of a server: such calls. */
  siteCalls: { count: 600, seconds: 60 },
  /** An address at a site, in each process of a server: searches by the server. */
  searches: { count: 120, seconds: 60 },
  /** A site, in each process of a server: such searches. */
  siteSearches: { count: 3000, seconds: 60 },
  /** An address at a site, in each process of a server: messages of agents to its MCP server. */
  mcp: { count: 5000, seconds: 3600 },
  /** A site, in each process of a server: such messages. */
  siteMcp: { count: 100_000, seconds: 3600 },
  /** A member with a session, all operations together that count by request. */
  members: { count: 1200, seconds: 60 },
  /** An account from one address, and a browser that is known; ten times as many for an account, and for an address. */
  signIns: { count: 10, seconds: 900 },
  /** An address: tokens of links that work once. */
  links: { count: 100, seconds: 900 },
  /** An automation: messages to its address. */
  automationMessages: { count: 60, seconds: 3600 },
  /** An organization: previews that are asked for. */
  previews: { count: 5, seconds: 60 },
}
