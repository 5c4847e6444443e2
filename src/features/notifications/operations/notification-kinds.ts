/**
 * The kinds of notifications. Settings, texts, links and recipients are derived from this table, both in the
 * dashboard and in webhook messages.
 */
import type { Permission } from '../../../base/api/roles.ts'

/**
 * Levels per project: no events, the user's own events, or all events. An event without an owner belongs to
 * all users.
 */
export const NOTIFICATION_LEVELS = ['off', 'own', 'all'] as const
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number]

export const MAIL_FREQUENCIES = ['now', 'daily', 'off'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]

/** Details for the text of a notification. Untrusted and shortened. */
export interface NotificationFacts {
  /** Title of a job, name of an automation, or a domain. */
  name?: string
  reason?: string
  entries?: number
  /** Usual number of entries per hour. */
  usual?: number
  /** Page to which most of the entries belong. */
  page?: string
}

export interface NotificationRow {
  label: string
  permission: Permission
  /** Whether events belong to individual users. */
  isPersonal: boolean
  /** Whether only the owner of the event is notified. */
  isForOwnerOnly?: boolean
  usual: NotificationLevel
  /** Default mail frequency: `now` for notifications that are urgent or need an action by the user. */
  mail: MailFrequency
  tone: 'good' | 'bad' | 'neutral'
  /** Text for one event, without the project. */
  one(facts: NotificationFacts): string
  many(count: number, facts: NotificationFacts): string
  /** True if the project is not in the organization yet; paths are then below `/o/{organizationId}`. */
  isOffered?: true
  /** Path of the object below `/p/{projectId}`; `list` is the path of the list of all objects. */
  linkPath(subject: string): string
  list: string
}

const quoted = (name: string | undefined, otherwise: string) =>
  name === undefined || name === '' ? otherwise : `“${name}”`
const because = (reason: string | undefined) =>
  reason === undefined || reason === '' ? '' : `: ${reason.replace(/[.:]$/, '')}`

export const NOTIFICATION_KINDS = {
  review_waiting: {
    label: 'An agent job is ready for review',
    permission: 'agent',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ name }) => `The agent’s change ${quoted(name, '')} is ready for review`.replace('  ', ' '),
    many: (count) => `${count} changes by the agent are ready for review`,
    linkPath: (id) => `agent/${id}`,
    list: 'agent',
  },
  question_waiting: {
    label: 'An agent job has a question',
    permission: 'agent',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ name, reason }) => `The agent has a question about ${quoted(name, 'its job')}${because(reason)}`,
    many: (count) => `${count} agent jobs have a question`,
    linkPath: (id) => `agent/${id}`,
    list: 'agent',
  },
  job_failed: {
    label: 'An agent job failed',
    permission: 'agent',
    isPersonal: true,
    usual: 'own',
    mail: 'daily',
    tone: 'bad',
    one: ({ name, reason }) =>
      `The agent job ${quoted(name, '')} failed${because(reason)}`.replace('  ', ' '),
    many: (count) => `${count} agent jobs failed`,
    linkPath: (id) => `agent/${id}`,
    list: 'agent',
  },
  export_ready: {
    label: 'An export is ready',
    permission: 'exports',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'good',
    one: () => 'The export is ready to download',
    many: (count) => `${count} exports are ready to download`,
    linkPath: (id) => `exports/${id}`,
    list: 'exports',
  },
  export_failed: {
    label: 'An export failed',
    permission: 'exports',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'bad',
    one: ({ reason }) => `The export failed${because(reason)}`,
    many: (count) => `${count} exports failed`,
    linkPath: (id) => `exports/${id}`,
    list: 'exports',
  },
  deployment_failed: {
    label: 'A deployment failed',
    permission: 'deployments',
    isPersonal: true,
    usual: 'all',
    mail: 'now',
    tone: 'bad',
    one: ({ reason }) => `The deployment failed${because(reason)}`,
    many: (count) => `${count} deployments failed`,
    linkPath: (id) => `deployments/${id}`,
    list: 'deployments',
  },
  deployment_recovered: {
    label: 'Deployments are working again',
    permission: 'deployments',
    isPersonal: true,
    usual: 'all',
    mail: 'off',
    tone: 'good',
    one: () => 'Deployments are working again: the site was published',
    many: (count) => `Deployments failed and worked again ${count} times`,
    linkPath: (id) => `deployments/${id}`,
    list: 'deployments',
  },
  feedback_spike: {
    label: 'Unusually high amount of feedback',
    permission: 'feedback',
    isPersonal: false,
    usual: 'all',
    mail: 'daily',
    tone: 'neutral',
    one: ({ entries = 0, usual = 0, page }) =>
      `${entries} feedback entries arrived within an hour; ${usual === 0 ? 'usually there are almost none' : `a busy hour has ${usual}`}${page === undefined ? '' : `; most are about ${page}`}`,
    many: (count) => `Feedback was unusually high ${count} times`,
    linkPath: () => 'feedback',
    list: 'feedback',
  },
  feedback_assigned: {
    label: 'Feedback was assigned to you',
    permission: 'read',
    isPersonal: false,
    isForOwnerOnly: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ entries = 1 }) =>
      entries === 1
        ? 'A feedback entry was assigned to you'
        : `${entries} feedback entries were assigned to you`,
    many: (count) => `Feedback was assigned to you ${count} times`,
    linkPath: (id) => `feedback?entry=${id}`,
    list: 'feedback?assignee=me',
  },
  automation_stopped: {
    label: 'An automation could not run',
    permission: 'agent',
    isPersonal: false,
    usual: 'all',
    mail: 'daily',
    tone: 'bad',
    one: ({ name, reason }) =>
      `The automation ${quoted(name, '')} did not run${because(reason)}`.replace('  ', ' '),
    many: (count) => `Automations did not run ${count} times`,
    linkPath: () => 'agent/automations',
    list: 'agent/automations',
  },
  domain_proof_missing: {
    label: 'The DNS record for a domain is missing',
    permission: 'projects',
    isPersonal: false,
    usual: 'all',
    mail: 'now',
    tone: 'bad',
    one: ({ name }) => `The DNS record that proves ownership of ${name ?? 'a domain'} is missing: restore it`,
    many: (count) => `The DNS records that prove ownership of ${count} domains are missing`,
    linkPath: () => 'settings/domains',
    list: 'settings/domains',
  },
  domain_lost: {
    label: 'A domain was lost',
    permission: 'projects',
    isPersonal: false,
    usual: 'all',
    mail: 'now',
    tone: 'bad',
    one: ({ name }) => `The domain ${name ?? ''} moved to another project`,
    many: (count) => `${count} domains moved to other projects`,
    linkPath: () => 'settings/domains',
    list: 'settings/domains',
  },
  transfer_offered: {
    label: 'Another organization wants to transfer a project',
    permission: 'transfers',
    isPersonal: false,
    isOffered: true,
    usual: 'all',
    mail: 'now',
    tone: 'neutral',
    one: ({ name }) =>
      `Transfer of this project requested by ${quoted(name, 'another organization')}: accept or decline it`,
    many: (count) => `A transfer of this project was requested ${count} times`,
    linkPath: () => 'plan',
    list: 'plan',
  },
} as const satisfies Record<string, NotificationRow>

export type NotificationKind = keyof typeof NOTIFICATION_KINDS

export function levelsOf(kind: NotificationKind): readonly NotificationLevel[] {
  const { isPersonal, isForOwnerOnly = false }: NotificationRow = NOTIFICATION_KINDS[kind]
  if (isPersonal) return NOTIFICATION_LEVELS
  return isForOwnerOnly ? ['off', 'own'] : ['off', 'all']
}

export const NOTIFICATION_KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[]

type OwnerOnlyKind = {
  [Kind in NotificationKind]: (typeof NOTIFICATION_KINDS)[Kind] extends { isForOwnerOnly: true }
    ? Kind
    : never
}[NotificationKind]
/** Kinds that can have several recipients and therefore can also be sent to a chat. */
export type SharedKind = Exclude<NotificationKind, OwnerOnlyKind>

export const SHARED_KINDS = NOTIFICATION_KIND_NAMES.filter(
  (kind): kind is SharedKind => !('isForOwnerOnly' in NOTIFICATION_KINDS[kind]),
)

/** Returns false for kinds written by another version. */
export function isNotificationKind(kind: string): kind is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, kind)
}

interface NotificationSource {
  kind: NotificationKind
  organizationId: string
  projectId: string
  subject: string
  facts: NotificationFacts
  count: number
}

/** Returns one sentence without the final period and without the project. */
export function notificationText({
  kind,
  facts,
  count,
}: Pick<NotificationSource, 'kind' | 'facts' | 'count'>): string {
  const row: NotificationRow = NOTIFICATION_KINDS[kind]
  return count > 1 ? row.many(count, facts) : row.one(facts)
}

export function notificationPath({
  kind,
  organizationId,
  projectId,
  subject,
  count,
}: Omit<NotificationSource, 'facts'>): string {
  const row: NotificationRow = NOTIFICATION_KINDS[kind]
  const base = row.isOffered ? `/o/${organizationId}` : `/p/${projectId}`
  return `${base}/${count > 1 ? row.list : row.linkPath(subject)}`
}

/** Kinds about projects that other organizations offer. */
export const OFFERED_KINDS = NOTIFICATION_KIND_NAMES.filter((kind) => 'isOffered' in NOTIFICATION_KINDS[kind])
