/** Rate limits of the API. Operators can change each with the environment variable in its row. */
export interface Limit {
  count: number
  seconds: number
}

interface LimitRow extends Limit {
  /** Environment variable, in the form `<count>/<seconds>`. */
  env: string
  /** Description of what is counted, and for whom. */
  help: string
  /** Scope that shares the time window, for limits that count API operations. */
  sharedBy?: 'caller' | 'project' | 'organization' | 'address'
}

export const LIMITS = {
  /** For all analytics endpoints together. */
  analytics: {
    count: 100,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_ANALYTICS',
    help: 'Analytics requests, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  /** For accepted jobs and follow-up messages together. */
  agentJobs: {
    count: 100,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AGENT_JOBS',
    help: 'Agent jobs and messages, <count>/<seconds> a project.',
    sharedBy: 'project',
  },
  /** Counts accepted requests only. */
  exportStarts: {
    count: 20,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_EXPORTS',
    help: 'Export starts, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  reads: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_READS',
    help: 'Other requests, <count>/<seconds> a key.',
    sharedBy: 'caller',
  },
  failedKeys: {
    count: 300,
    seconds: 600,
    env: 'OCTAVO_LIMIT_FAILED_KEYS',
    help: 'Requests with a wrong key, <count>/<seconds> an address.',
  },
  newKeys: {
    count: 10,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_NEW_KEYS',
    help: 'New API keys, <count>/<seconds> an organization.',
  },
  feedback: {
    count: 30,
    seconds: 60,
    env: 'OCTAVO_LIMIT_FEEDBACK',
    help: 'Feedback of readers, <count>/<seconds> an address at a site.',
  },
  agentFeedback: {
    count: 60,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AGENT_FEEDBACK',
    help: 'Feedback of AI agents, <count>/<seconds> an address at a site.',
  },
  siteFeedback: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_FEEDBACK',
    help: 'Feedback of a site, <count>/<seconds>, beyond which each entry costs its sender some computing.',
  },
  pageEvents: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_PAGE_EVENTS',
    help: 'Batches of web analytics, <count>/<seconds> an address at a site, counted by each server for itself.',
  },
  sitePageEvents: {
    count: 120_000,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_PAGE_EVENTS',
    help: 'Events of web analytics, <count>/<seconds> a site, counted by each server for itself; a batch counts as ten at least.',
  },
  questions: {
    count: 20,
    seconds: 600,
    env: 'OCTAVO_LIMIT_QUESTIONS',
    help: 'Questions to the assistant of a site, <count>/<seconds> an address.',
  },
  siteQuestions: {
    count: 600,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_SITE_QUESTIONS',
    help: 'Questions to the assistant, <count>/<seconds> a site.',
  },
  calls: {
    count: 60,
    seconds: 60,
    env: 'OCTAVO_LIMIT_CALLS',
    help: 'Calls of the API playground through this server, <count>/<seconds> an address at a site, counted by each server for itself.',
  },
  siteCalls: {
    count: 600,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_CALLS',
    help: 'Calls of the API playground through this server, <count>/<seconds> a site, counted by each server for itself.',
  },
  searches: {
    count: 120,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SEARCHES',
    help: 'Searches of a site over the API, <count>/<seconds> an address, counted by each server for itself.',
  },
  siteSearches: {
    count: 3000,
    seconds: 60,
    env: 'OCTAVO_LIMIT_SITE_SEARCHES',
    help: 'Searches of a site over the API, <count>/<seconds> in all, counted by each server for itself.',
  },
  mcp: {
    count: 5000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_MCP',
    help: 'Messages of agents to the MCP server of a site, <count>/<seconds> an address, counted by each server for itself.',
  },
  siteMcp: {
    count: 100_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_SITE_MCP',
    help: 'Messages of agents to the MCP server of a site, <count>/<seconds> in all, counted by each server for itself.',
  },
  /** For all operations together that count requests. */
  members: {
    count: 1200,
    seconds: 60,
    env: 'OCTAVO_LIMIT_MEMBERS',
    help: 'Requests of a member who is signed in, <count>/<seconds>.',
    sharedBy: 'caller',
  },
  signIns: {
    count: 10,
    seconds: 900,
    env: 'OCTAVO_LIMIT_SIGN_INS',
    help: 'Attempts to sign in, <count>/<seconds> an account from one address, and from a browser that has signed in before; ten times as many for an account from everywhere, and for an address.',
  },
  links: {
    count: 100,
    seconds: 900,
    env: 'OCTAVO_LIMIT_LINKS',
    help: 'Uses of links that work once (setup, invitations, new passwords), <count>/<seconds> an address.',
    sharedBy: 'address',
  },
  automationMessages: {
    count: 60,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_AUTOMATION_MESSAGES',
    help: 'Messages to the address of an automation, <count>/<seconds> each.',
  },
  /** Updates of projects and triggers of automations together. */
  projectUpdates: {
    count: 10,
    seconds: 10,
    env: 'OCTAVO_LIMIT_PROJECT_UPDATES',
    help: 'Project updates and triggered automations, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  discoveryMessages: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_MESSAGES',
    help: 'Messages to assistants by programs with a key, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  discoveryAddresses: {
    count: 10_000,
    seconds: 86_400,
    env: 'OCTAVO_LIMIT_DISCOVERY_ADDRESSES',
    help: 'Messages to assistants by programs with a key, <count>/<seconds> an address.',
    sharedBy: 'address',
  },
  discoverySearches: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_SEARCHES',
    help: 'Searches of sites by programs with a key, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  discoveryPages: {
    count: 10_000,
    seconds: 3600,
    env: 'OCTAVO_LIMIT_DISCOVERY_PAGES',
    help: 'Pages of sites that programs with a key read, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
  previews: {
    count: 5,
    seconds: 60,
    env: 'OCTAVO_LIMIT_PREVIEWS',
    help: 'Previews that are asked for over the API, <count>/<seconds> an organization.',
    sharedBy: 'organization',
  },
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof LIMITS
/** Names of limits that count API operations. */
export type OperationLimitName = {
  [Name in LimitName]: (typeof LIMITS)[Name] extends Required<Pick<LimitRow, 'sharedBy'>> ? Name : never
}[LimitName]
export type Limits = Readonly<Record<LimitName, Limit>>

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[]
