/** Notifications of a user in the dashboard, and their preferences. */

import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable, PageQuery } from '../../../base/api/schema.ts'
import { MAIL_FREQUENCIES, NOTIFICATION_KIND_NAMES, NOTIFICATION_LEVELS } from './notification-kinds.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const NotificationId = Type.String({ pattern: '^ntf_[0-9a-z]+$' })
const Kind = Type.Enum([...NOTIFICATION_KIND_NAMES])
const Level = Type.Enum([...NOTIFICATION_LEVELS], {
  description: '`own`: only work started by the member or started automatically.',
})
const ProjectId = Type.String({ minLength: 1, maxLength: 64 })

export const MAX_UNREAD_COUNT = 100

const Unread = Type.Integer({ minimum: 0, maximum: MAX_UNREAD_COUNT, description: 'Counting stops at 100.' })

export const Notification = Type.Object(
  {
    notificationId: NotificationId,
    kind: Kind,
    projectId: Type.String(),
    projectName: Type.String(),
    text: Type.String({ description: 'One sentence. May contain text from others: untrusted.' }),
    path: Type.String({ description: 'Path in the dashboard.' }),
    count: Type.Integer({ minimum: 1, description: 'Number of events combined in this notification.' }),
    isRead: Type.Boolean(),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  closedObject('Notification'),
)
export type Notification = Static<typeof Notification>

export const NotificationList = Type.Object(
  {
    notifications: Type.Array(Notification, { description: 'Newest first.' }),
    unread: Unread,
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closedObject('NotificationList'),
)
export type NotificationList = Static<typeof NotificationList>

export const NotificationQuery = Type.Object(
  { ...PageQuery, only: Type.Optional(Type.Enum(['unread'])) },
  { additionalProperties: false },
)
export type NotificationQuery = Static<typeof NotificationQuery>

export const UnreadCount = Type.Object({ unread: Unread }, closedObject('UnreadCount'))
export type UnreadCount = Static<typeof UnreadCount>

export const MarkNotificationsBody = Type.Object(
  {
    notificationIds: Type.Array(NotificationId, { minItems: 1, maxItems: 100 }),
    isRead: Type.Boolean(),
  },
  closedObject('MarkNotifications'),
)
export type MarkNotificationsBody = Static<typeof MarkNotificationsBody>

export const ReadAllBody = Type.Object(
  {
    until: {
      ...DateTime,
      description: '`updatedAt` of the newest notification seen; newer notifications remain unread.',
    },
  },
  closedObject('ReadAllNotifications'),
)
export type ReadAllBody = Static<typeof ReadAllBody>

const NotificationChoice = Type.Object(
  {
    kind: Kind,
    projectId: Nullable({ ...ProjectId, description: 'Null: all projects.' }),
    level: Level,
  },
  closedObject('NotificationChoice'),
)
export type NotificationChoice = Static<typeof NotificationChoice>

const Frequency = Type.Enum([...MAIL_FREQUENCIES], {
  description: '`now`: within a minute; `daily`: in one email per day.',
})
const DigestHour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: 'Hour at which the daily email is sent, 0 to 23.',
})

const NotificationMail = Type.Object(
  {
    address: Type.String(),
    isOff: Type.Boolean(),
    digestHour: DigestHour,
    timeZone: Nullable(
      Type.String({ description: 'Time zone in which the hour is interpreted; null: UTC.' }),
    ),
    paces: Type.Array(
      Type.Object(
        { kind: Kind, pace: Frequency },
        { additionalProperties: false, title: 'NotificationPace' },
      ),
      { description: 'Email frequency of each kind.' },
    ),
  },
  closedObject('NotificationMail'),
)
export type NotificationMail = Static<typeof NotificationMail>

export const ChangeNotificationMailBody = Type.Object(
  {
    kind: Type.Optional(Kind),
    pace: Type.Optional(Type.Enum([...MAIL_FREQUENCIES], { description: 'Email frequency for `kind`.' })),
    isOff: Type.Optional(Type.Boolean()),
    digestHour: Type.Optional(DigestHour),
    timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] })),
  },
  closedObject('ChangeNotificationMail'),
)
export type ChangeNotificationMailBody = Static<typeof ChangeNotificationMailBody>

export const NotificationSettings = Type.Object(
  {
    kinds: Type.Array(Kind, { description: "Kinds that the person's role can receive." }),
    choices: Type.Array(NotificationChoice, { description: 'Only settings changed by the person.' }),
    mail: Nullable(NotificationMail),
  },
  closedObject('NotificationSettings'),
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const ChooseNotificationsBody = Type.Object(
  {
    kind: Kind,
    projectId: Nullable(ProjectId),
    level: Nullable({ ...Level, description: 'Null: the setting for all projects, or the default.' }),
  },
  closedObject('ChooseNotifications'),
)
export type ChooseNotificationsBody = Static<typeof ChooseNotificationsBody>

const NOTIFICATIONS_PATH = '/internal/notifications'
/** Personal preferences and the read state are not in the audit log of the organization. */
const OWN = { none: 'it changes nothing but what the caller is shown' } as const

export const NOTIFICATION_OPERATIONS = {
  listNotifications: {
    ...ROW,
    method: 'GET',
    path: NOTIFICATIONS_PATH,
    summary: "List the caller's notifications in the organization, newest first",
    permission: 'read',
    query: NotificationQuery,
    success: { status: 200, schema: NotificationList },
  },
  countUnread: {
    ...ROW,
    method: 'GET',
    path: `${NOTIFICATIONS_PATH}/unread`,
    summary: "Count the caller's unread notifications",
    permission: 'read',
    success: { status: 200, schema: UnreadCount },
  },
  markNotifications: {
    ...ROW,
    method: 'POST',
    path: `${NOTIFICATIONS_PATH}/mark`,
    summary: "Mark the caller's notifications as read or unread; other ids are ignored",
    audit: OWN,
    permission: 'read',
    body: MarkNotificationsBody,
    success: { status: 200, schema: UnreadCount },
  },
  readAllNotifications: {
    ...ROW,
    method: 'POST',
    path: `${NOTIFICATIONS_PATH}/read-all`,
    summary: "Mark all of the caller's notifications up to a time as read",
    audit: OWN,
    permission: 'read',
    body: ReadAllBody,
    success: { status: 200, schema: UnreadCount },
  },
  getNotificationSettings: {
    ...ROW,
    method: 'GET',
    path: '/internal/notification-settings',
    summary: "Get the caller's notification settings",
    permission: 'read',
    success: { status: 200, schema: NotificationSettings },
  },
  chooseNotifications: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/notification-settings',
    summary: 'Update whether a kind of notification is sent, for one or all projects',
    audit: OWN,
    permission: 'read',
    body: ChooseNotificationsBody,
    success: { status: 200, schema: NotificationSettings },
  },
  changeNotificationMail: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/notification-settings/mail',
    summary: 'Update which notifications are sent by email, how soon, and the hour of the daily email',
    audit: OWN,
    permission: 'read',
    body: ChangeNotificationMailBody,
    success: { status: 200, schema: NotificationSettings },
  },
} as const satisfies Record<string, DashboardOperation>
