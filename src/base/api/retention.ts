/** Retention of all data that a node stores, by kind. Displays, settings and sweeps use this table. */

interface RetentionDefinition {
  /** Default number of days; 0 means forever. */
  days: number
  isByOrganization: boolean
  what: string
}

export const RETENTION = {
  exports: {
    days: 90,
    isByOrganization: true,
    what: 'Archives of completed exports, counted from the end of the export or of its last download link. The export itself stays. Its archive can be created again while the source still contains the exported revision.',
  },
  deployments: {
    days: 30,
    isByOrganization: true,
    what: 'Versions of a site that are not live, counted from when they were built or last live. Their deployments stay in the list.',
  },
  mirrors: {
    days: 30,
    isByOrganization: true,
    what: 'Unused copies of git repositories on this machine. The next job fetches them again.',
  },
  agentWork: {
    days: 90,
    isByOrganization: true,
    what: 'Inactive agent jobs are archived. The conversation, events and rendered pages of archived jobs are deleted; the job itself stays. Automation runs are deleted too.',
  },
  events: {
    days: 30,
    isByOrganization: true,
    what: 'Webhook events that no endpoint received, or whose deliveries were deleted.',
  },
  deliveries: {
    days: 30,
    isByOrganization: true,
    what: 'Webhook deliveries, counted from when they succeeded or were given up.',
  },
  notifications: {
    days: 90,
    isByOrganization: true,
    what: 'Dashboard notifications, read or unread, counted from their latest event.',
  },
  mails: {
    days: 30,
    isByOrganization: false,
    what: 'Records of sent and refused emails, counted from when they were sent or refused. Their content is not stored.',
  },
  audit: {
    days: 730,
    isByOrganization: true,
    what: 'Audit log entries. The remaining entries can still be verified.',
  },
  analyticsCounts: {
    days: 1095,
    isByOrganization: true,
    what: 'Web analytics by day, week and month: views, searches and clicks. No row identifies a reader.',
  },
  analyticsEvents: {
    days: 90,
    isByOrganization: false,
    what: 'Individual web analytics events, which do not identify readers, and hourly counts per site.',
  },
  assistantQuestions: {
    days: 180,
    isByOrganization: true,
    what: 'Questions to the assistant, with their answers and ratings.',
  },
  deletedProjects: {
    days: 7,
    isByOrganization: true,
    what: 'Deleted projects, counted from their deletion. They can be restored during this time. The number of days is fixed when a project is deleted.',
  },
  renderCache: {
    days: 14,
    isByOrganization: false,
    what: 'Rendered pages, files and copies from other servers that no version, archive or job uses, and the build cache of sites.',
  },
} as const satisfies Record<string, RetentionDefinition>

export type RetentionKind = keyof typeof RETENTION

/** Days by kind; 0 means forever. */
export type Retention = Record<RetentionKind, number>

export const RETENTION_KINDS = Object.keys(RETENTION) as RetentionKind[]

export type OrganizationRetentionKind = Exclude<RetentionKind, 'renderCache' | 'analyticsEvents' | 'mails'>

export const ORGANIZATION_RETENTION_KINDS = RETENTION_KINDS.filter(
  (kind): kind is OrganizationRetentionKind => RETENTION[kind].isByOrganization,
)

export const MAX_RETENTION_DAYS = 3650

export const DEFAULT_RETENTION = Object.fromEntries(
  RETENTION_KINDS.map((kind) => [kind, RETENTION[kind].days]),
) as Retention

/** Retention that an organization has chosen; the operator's settings apply to the kinds of data that it leaves out. */
export type OrganizationRetention = Partial<Retention>

/** Changes to an organization's choices; null reverts to the operator's setting. */
export type RetentionChoice = Partial<Record<RetentionKind, number | null>>

/** Display names of the reasons for which objects are stored. */
export const STORAGE_HOLDER_LABELS = {
  exports: 'export archives',
  deployments: 'site versions',
  agentWork: 'pages rendered for agent jobs',
  renderCache: 'build cache',
  unneeded: 'unused, deleted after a grace period',
} as const

export type Holder = keyof typeof STORAGE_HOLDER_LABELS
