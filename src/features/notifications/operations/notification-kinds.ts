/**
 * The kinds of notifications, one entry each. Settings, texts, links and recipients follow from this table, both in
 * the dashboard and in webhook messages.
 */
import type { Permission } from '../../../base/api/roles.ts'

/**
 * Notification levels for a project: no events, one's own, everyone's. An event without a person counts as everyone's
 * own.
 */
export const NOTIFICATION_LEVELS = ['off', 'own', 'all'] as const
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number]

/** When notifications are mailed: immediately, once a day, never. */
export const MAIL_FREQUENCIES = ['now', 'daily', 'off'] as const
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number]

/** Details for the text of a notification besides the project. Untrusted text from others, shortened. */
export interface NotificationFacts {
  /** Title of a job, a domain, or the name of an automation. */
  name?: string
  /** Reason for the failure or stop. */
  reason?: string
  /** Number of feedback entries. */
  entries?: number
  /** Usual number of entries per hour. */
  usual?: number
  /** Page that most of the entries are about. */
  page?: string
}

export interface NotificationRow {
  /** Label in settings. */
  label: string
  /** Permission required to be notified. */
  permission: Permission
  /** Whether events belong to individual people. */
  isPersonal: boolean
  /** Whether only the person concerned is notified. */
  isForOwnerOnly?: boolean
  /** Default level. */
  usual: NotificationLevel
  /** Default for mail. Immediate for what waits for the person or is urgent. */
  mail: MailFrequency
  /** Appearance in the dashboard. */
  tone: 'good' | 'bad' | 'neutral'
  /** Text for one event, without its project. */
  one(facts: NotificationFacts): string
  /** Text for several events. */
  many(count: number, facts: NotificationFacts): string
  /** The project does not belong to the organization yet, so paths are below `/o/{organizationId}`. */
  isOffered?: true
  /** Paths below `/p/{projectId}`: of the object, and of the list of all. */
  linkPath(subject: string): string
  list: string
}

const quoted = (name: string | undefined, otherwise: string) =>
  name === undefined || name === '' ? otherwise : `“${name}”`
const because = (reason: string | undefined) =>
  reason === undefined || reason === '' ? '' : `: ${reason.replace(/[.:]$/, '')}`

export const NOTIFICATION_KINDS = {
  review_waiting: {
    label: 'An agent job waits for review',
    permission: 'agent',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ name }) => `The agent’s change ${quoted(name, '')} waits for review`.replace('  ', ' '),
    many: (count) => `${count} changes of the agent wait for review`,
    linkPath: (id) => `agent/${id}`,
    list: 'agent',
  },
  question_waiting: {
    label: 'An agent job asks a question',
    permission: 'agent',
    isPersonal: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ name, reason }) => `The agent asks about ${quoted(name, 'its job')}${because(reason)}`,
    many: (count) => `${count} jobs of the agent ask a question`,
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
    label: 'Deployments work again',
    permission: 'deployments',
    isPersonal: true,
    usual: 'all',
    mail: 'off',
    tone: 'good',
    one: () => 'Deployments work again: the site was published',
    many: (count) => `Deployments failed and worked again ${count} times`,
    linkPath: (id) => `deployments/${id}`,
    list: 'deployments',
  },
  feedback_spike: {
    label: 'Much more feedback than usual',
    permission: 'feedback',
    isPersonal: false,
    usual: 'all',
    mail: 'daily',
    tone: 'neutral',
    one: ({ entries = 0, usual = 0, page }) =>
      `${entries} entries of feedback came within an hour; ${usual === 0 ? 'usually there are next to none' : `a busy hour has ${usual}`}${page === undefined ? '' : `; most are about ${page}`}`,
    many: (count) => `Far more feedback than usual came ${count} times`,
    linkPath: () => 'feedback',
    list: 'feedback',
  },
  feedback_assigned: {
    label: 'Feedback is assigned to you',
    permission: 'read',
    isPersonal: false,
    isForOwnerOnly: true,
    usual: 'own',
    mail: 'now',
    tone: 'neutral',
    one: ({ entries = 1 }) =>
      entries === 1
        ? 'An entry of feedback was assigned to you'
        : `${entries} entries of feedback were assigned to you`,
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
    label: 'The DNS record of a domain is missing',
    permission: 'projects',
    isPersonal: false,
    usual: 'all',
    mail: 'now',
    tone: 'bad',
    one: ({ name }) =>
      `The DNS record that proves ownership of ${name ?? 'a domain'} is missing: put it back`,
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
    one: ({ name }) => `The domain ${name ?? ''} went to another project`,
    many: (count) => `${count} domains went to other projects`,
    linkPath: () => 'settings/domains',
    list: 'settings/domains',
  },
  transfer_offered: {
    label: 'Another organization offers a project',
    permission: 'transfers',
    isPersonal: false,
    isOffered: true,
    usual: 'all',
    mail: 'now',
    tone: 'neutral',
    one: ({ name }) =>
      `This project is offered by ${quoted(name, 'another organization')}: accept or decline it`,
    many: (count) => `This project was offered ${count} times`,
    linkPath: () => 'plan',
    list: 'plan',
  },
} as const satisfies Record<string, NotificationRow>

export type NotificationKind = keyof typeof NOTIFICATION_KINDS

/** Levels to choose from. */
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
/** Kinds with more than one possible recipient, which can also be sent to a chat. */
export type SharedKind = Exclude<NotificationKind, OwnerOnlyKind>

export const SHARED_KINDS = NOTIFICATION_KIND_NAMES.filter(
  (kind): kind is SharedKind => !('isForOwnerOnly' in NOTIFICATION_KINDS[kind]),
)

/** Returns false for kinds written by a newer or older version. */
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

/** Path of the notification's object in the dashboard. */
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

/** Kinds about projects of other organizations. */
export const OFFERED_KINDS = NOTIFICATION_KIND_NAMES.filter((kind) => 'isOffered' in NOTIFICATION_KINDS[kind])
