/** Retention of everything that a node stores, with a row per kind. Displays, settings and sweeps are based on it. */

interface RetentionFact {
  /** Default number of days; 0 means forever. */
  days: number
  /** Whether organizations may override the operator's setting. */
  isByOrganization: boolean
  /** Description of what expires, and from when the days count. */
  what: string
}

export const RETENTION = {
  exports: {
    days: 90,
    isByOrganization: true,
    what: 'Archives of completed exports, from the end of the export or of the last link on. The export stays, and its archive is made again when it is asked for, as long as its source has that revision.',
  },
  deployments: {
    days: 30,
    isByOrganization: true,
    what: 'Versions of a site that readers are not served, from their making on, or from when they were served last. Their deployments stay in the list.',
  },
  mirrors: {
    days: 30,
    isByOrganization: true,
    what: 'Copies of git repositories on this machine that nothing has asked for. The next job fetches anew.',
  },
  agentWork: {
    days: 90,
    isByOrganization: true,
    what: 'Agent jobs that rest are archived, and the conversation, events and rendered pages of archived ones go. The job itself stays. Runs of automations go too.',
  },
  events: {
    days: 30,
    isByOrganization: true,
    what: 'Events of webhooks that nobody took, or whose deliveries are gone.',
  },
  deliveries: {
    days: 30,
    isByOrganization: true,
    what: 'Deliveries of webhooks, from their end on.',
  },
  notifications: {
    days: 90,
    isByOrganization: true,
    what: 'What people were told in the dashboard, read or not, from the newest event on.',
  },
  mails: {
    days: 30,
    isByOrganization: false,
    what: 'Which mails were sent or refused, from their end on. What they said is not kept.',
  },
  audit: {
    days: 730,
    isByOrganization: true,
    what: 'Rows of the audit log. What is kept can still be verified.',
  },
  analyticsCounts: {
    days: 1095,
    isByOrganization: true,
    what: 'Web analytics by day, week and month: how often what was looked at, searched for and followed. No row is about one reader.',
  },
  analyticsEvents: {
    days: 90,
    isByOrganization: false,
    what: 'Single events of web analytics, which name no reader, and the counts of a site by hour.',
  },
  assistantQuestions: {
    days: 180,
    isByOrganization: true,
    what: 'Questions to the assistant with their answers and ratings.',
  },
  deletedProjects: {
    days: 7,
    isByOrganization: true,
    what: 'Deleted projects, which can be brought back until then, from their deletion on. The days are those of the moment of the deletion.',
  },
  renderCache: {
    days: 14,
    isByOrganization: false,
    what: 'Rendered pages, files and copies from other servers that no version, archive or job has used, and what builds of a site keep for the next one.',
  },
} as const satisfies Record<string, RetentionFact>

export type RetentionKind = keyof typeof RETENTION

/** Days by kind; 0 means forever. */
export type Retention = Record<RetentionKind, number>

export const RETENTION_KINDS = Object.keys(RETENTION) as RetentionKind[]

/** Kinds that an organization may choose. */
export type OrganizationRetentionKind = Exclude<RetentionKind, 'renderCache' | 'analyticsEvents' | 'mails'>

export const ORGANIZATION_RETENTION_KINDS = RETENTION_KINDS.filter(
  (kind): kind is OrganizationRetentionKind => RETENTION[kind].isByOrganization,
)

export const MAX_RETENTION_DAYS = 3650

export const DEFAULT_RETENTION = Object.fromEntries(
  RETENTION_KINDS.map((kind) => [kind, RETENTION[kind].days]),
) as Retention

/** Choices of an organization; the operator's settings apply to other kinds. */
export type OrganizationRetention = Partial<Retention>

/** Changes to an organization's choices; null reverts to the operator's setting. */
export type RetentionChoice = Partial<Record<RetentionKind, number | null>>

/** Display names of what retains objects in storage. */
export const HOLDERS = {
  exports: 'archives of exports',
  deployments: 'versions of sites',
  agentWork: 'rendered pages of agent jobs',
  renderCache: 'kept for the next render',
  unneeded: 'needed by nothing, and deleted after a grace',
} as const

export type Holder = keyof typeof HOLDERS
