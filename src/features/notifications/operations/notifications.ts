/** Notifications of a person in the dashboard, and their preferences. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { MAIL_FREQUENCIES, NOTIFICATION_KIND_NAMES, NOTIFICATION_LEVELS } from './notification-kinds.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const NotificationId = Type.String({ pattern: '^ntf_[0-9a-z]+$' })
const Kind = Type.Enum([...NOTIFICATION_KIND_NAMES])
const Level = Type.Enum([...NOTIFICATION_LEVELS], {
  description: '`own`: what the person began, and what no person did.',
})
const ProjectId = Type.String({ minLength: 1, maxLength: 64 })

/** Counting stops here. */
export const MAX_UNREAD = 100

const Unread = Type.Integer({ minimum: 0, maximum: MAX_UNREAD, description: 'Counting stops at 100.' })

export const Notification = Type.Object(
  {
    notificationId: NotificationId,
    kind: Kind,
    projectId: Type.String(),
    projectName: Type.String(),
    text: Type.String({ description: 'One sentence; may hold text of others: untrusted.' }),
    path: Type.String({ description: 'Of the thing, in the dashboard.' }),
    count: Type.Integer({ minimum: 1, description: 'How many of the kind are told of in one.' }),
    isRead: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  closed('Notification'),
)
export type Notification = Static<typeof Notification>

export const NotificationList = Type.Object(
  {
    notifications: Type.Array(Notification, { description: 'Newest first.' }),
    unread: Unread,
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closed('NotificationList'),
)
export type NotificationList = Static<typeof NotificationList>

export const NotificationQuery = Type.Object(
  { ...PageQuery, only: Type.Optional(Type.Enum(['unread'])) },
  { additionalProperties: false },
)
export type NotificationQuery = Static<typeof NotificationQuery>

export const UnreadCount = Type.Object({ unread: Unread }, closed('UnreadCount'))
export type UnreadCount = Static<typeof UnreadCount>

export const MarkNotificationsBody = Type.Object(
  {
    notificationIds: Type.Array(NotificationId, { minItems: 1, maxItems: 100 }),
    isRead: Type.Boolean(),
  },
  closed('MarkNotifications'),
)
export type MarkNotificationsBody = Static<typeof MarkNotificationsBody>

export const ReadAllBody = Type.Object(
  {
    until: {
      ...DateTime,
      description: '`updatedAt` of the newest one that was seen; later ones stay unread.',
    },
  },
  closed('ReadAllNotifications'),
)
export type ReadAllBody = Static<typeof ReadAllBody>

const NotificationChoice = Type.Object(
  {
    kind: Kind,
    projectId: Nullable({ ...ProjectId, description: 'Null: of all projects.' }),
    level: Level,
  },
  closed('NotificationChoice'),
)
export type NotificationChoice = Static<typeof NotificationChoice>

const Frequency = Type.Enum([...MAIL_FREQUENCIES], {
  description: '`now`: within a minute; `daily`: in one mail a day.',
})
const DigestHour = Type.Integer({ minimum: 0, maximum: 23, description: 'When the daily mail comes.' })

const NotificationMail = Type.Object(
  {
    address: Type.String(),
    isOff: Type.Boolean(),
    digestHour: DigestHour,
    timeZone: Nullable(Type.String({ description: 'Of that hour; null: none is chosen, UTC counts.' })),
    paces: Type.Array(
      Type.Object(
        { kind: Kind, pace: Frequency },
        { additionalProperties: false, title: 'NotificationPace' },
      ),
      { description: 'Of each kind.' },
    ),
  },
  closed('NotificationMail'),
)
export type NotificationMail = Static<typeof NotificationMail>

export const ChangeNotificationMailBody = Type.Object(
  {
    kind: Type.Optional(Kind),
    pace: Type.Optional(Type.Enum([...MAIL_FREQUENCIES], { description: 'Of `kind`.' })),
    isOff: Type.Optional(Type.Boolean()),
    digestHour: Type.Optional(DigestHour),
    timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] })),
  },
  closed('ChangeNotificationMail'),
)
export type ChangeNotificationMailBody = Static<typeof ChangeNotificationMailBody>

export const NotificationSettings = Type.Object(
  {
    kinds: Type.Array(Kind, { description: 'Those that the role allows to be told of.' }),
    choices: Type.Array(NotificationChoice, { description: 'Only what the person has chosen.' }),
    mail: Nullable(NotificationMail),
  },
  closed('NotificationSettings'),
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const ChooseNotificationsBody = Type.Object(
  {
    kind: Kind,
    projectId: Nullable(ProjectId),
    level: Nullable({ ...Level, description: 'Null: as it is for all projects, or as it usually is.' }),
  },
  closed('ChooseNotifications'),
)
export type ChooseNotificationsBody = Static<typeof ChooseNotificationsBody>

const NOTIFICATIONS = '/internal/notifications'
/** Personal reading state and preferences are not audited for the organization. */
const OWN = { none: 'it changes nothing but what the caller is shown' } as const

export const NOTIFICATION_OPERATIONS = {
  listNotifications: {
    ...ROW,
    method: 'GET',
    path: NOTIFICATIONS,
    summary: 'List what the caller is told of in the organization, newest first',
    permission: 'read',
    query: NotificationQuery,
    success: { status: 200, schema: NotificationList },
  },
  countUnread: {
    ...ROW,
    method: 'GET',
    path: `${NOTIFICATIONS}/unread`,
    summary: 'How many notifications the caller has not read',
    permission: 'read',
    success: { status: 200, schema: UnreadCount },
  },
  markNotifications: {
    ...ROW,
    method: 'POST',
    path: `${NOTIFICATIONS}/mark`,
    summary: 'Mark notifications of the caller as read or unread; ids of others change nothing',
    audit: OWN,
    permission: 'read',
    body: MarkNotificationsBody,
    success: { status: 200, schema: UnreadCount },
  },
  readAllNotifications: {
    ...ROW,
    method: 'POST',
    path: `${NOTIFICATIONS}/read-all`,
    summary: 'Mark all notifications of the caller as read, up to a time',
    audit: OWN,
    permission: 'read',
    body: ReadAllBody,
    success: { status: 200, schema: UnreadCount },
  },
  getNotificationSettings: {
    ...ROW,
    method: 'GET',
    path: '/internal/notification-settings',
    summary: 'What the caller has chosen to be told of',
    permission: 'read',
    success: { status: 200, schema: NotificationSettings },
  },
  chooseNotifications: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/notification-settings',
    summary: 'Choose whether to be told of a kind, of all projects or of one',
    audit: OWN,
    permission: 'read',
    body: ChooseNotificationsBody,
    success: { status: 200, schema: NotificationSettings },
  },
  changeNotificationMail: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/notification-settings/mail',
    summary: 'Choose what comes by mail, how soon, and at which hour the daily mail comes',
    audit: OWN,
    permission: 'read',
    body: ChangeNotificationMailBody,
    success: { status: 200, schema: NotificationSettings },
  },
} as const satisfies Record<string, DashboardOperation>
