/** Reads a user's notifications in one organization, of the kinds permitted for the current role. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type Role, roleHasPermission } from '../../base/api/roles.ts'
import { assertNoFaults } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import { type CursorCodec, pageOf } from '../../base/signed-cursor.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { readPosition } from '../../database/newest-first.ts'
import type { NotificationTable } from '../../database/schema/notifications.ts'
import { knownProjectCondition } from './known-projects.ts'
import {
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationPath,
  notificationText,
} from './operations/notification-kinds.ts'
import {
  MAX_UNREAD_COUNT,
  type MarkNotificationsBody,
  type Notification,
  type NotificationList,
  type NotificationQuery,
} from './operations/notifications.ts'

export interface Recipient {
  organizationId: string
  userId: string
  role: Role
}

const DEFAULT_PAGE_SIZE = 30

export function kindsForRole(role: Role): NotificationKind[] {
  return NOTIFICATION_KIND_NAMES.filter((kind) =>
    roleHasPermission(role, NOTIFICATION_KINDS[kind].permission),
  )
}

/** Excludes notifications of ended offers, and of projects deleted or moved to another organization. */
function recipientCondition({ organizationId, userId, role }: Recipient): RawBuilder<SqlBool> {
  return sql<SqlBool>`notifications.organization_id = ${organizationId} AND notifications.user_id = ${userId}
    AND notifications.kind = ANY(${kindsForRole(role)})
    AND EXISTS (SELECT FROM projects WHERE projects.id = notifications.project_id AND ${sql.raw(knownProjectCondition('notifications'))})`
}

/** Lists the newest first. Throws AppError `invalid_request` for a cursor from another list. */
export async function listNotifications(
  { cursors }: { cursors: CursorCodec },
  queries: Queries,
  recipient: Recipient,
  query: NotificationQuery,
): Promise<NotificationList> {
  const scope = `notifications:${recipient.organizationId}:${recipient.userId}:${query.only ?? ''}`
  const limit = query.limit ?? DEFAULT_PAGE_SIZE
  const after = readPosition(cursors, scope, query.cursor)
  const rows = await queries
    .selectFrom('notifications')
    .innerJoin('projects', 'projects.id', 'notifications.project_id')
    .selectAll('notifications')
    .select('projects.name as project_name')
    .where(recipientCondition(recipient))
    .$if(query.only === 'unread', (select) => select.where('notifications.read_at', 'is', null))
    .$if(after !== null, (select) =>
      select.where(
        sql<SqlBool>`(notifications.updated_at, notifications.id) < (${new Date(String(after?.[0]))}, ${String(after?.[1])})`,
      ),
    )
    .orderBy('notifications.updated_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { shown, paging } = pageOf(rows, limit, (last) =>
    cursors.encode(scope, [last.updated_at.toISOString(), last.id]),
  )
  return {
    notifications: shown.map((row) => toNotification(row, row.project_name)),
    unread: await countUnread(queries, recipient),
    ...paging,
  }
}

export interface MailNotifications {
  /** Sorted from newest to oldest. */
  notifications: Notification[]
  /** Number of all unread notifications. */
  count: number
}

export async function readMailNotifications(
  queries: Queries,
  recipient: Recipient,
  mailId: string,
  maxLines: number,
): Promise<MailNotifications> {
  const rows = await queries
    .selectFrom('notifications')
    .innerJoin('projects', 'projects.id', 'notifications.project_id')
    .selectAll('notifications')
    .select(['projects.name as project_name', sql<number>`(count(*) OVER ())::integer`.as('total')])
    .where(recipientCondition(recipient))
    .where('notifications.mail_id', '=', mailId)
    .where('notifications.read_at', 'is', null)
    .orderBy('notifications.updated_at', 'desc')
    .orderBy('notifications.id', 'desc')
    .limit(maxLines)
    .execute()
  return {
    notifications: rows.map((row) => toNotification(row, row.project_name)),
    count: rows[0]?.total ?? 0,
  }
}

/** Counts up to 100. */
export async function countUnread(queries: Queries, recipient: Recipient): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    SELECT count(*)::integer AS unread FROM (
      SELECT 1 FROM notifications WHERE ${recipientCondition(recipient)} AND read_at IS NULL LIMIT ${MAX_UNREAD_COUNT}
    ) AS newest`.execute(queries)
  return rows[0]?.unread ?? 0
}

/** Ignores notifications of other users. Locks rows in a fixed order to prevent deadlocks. */
export async function markNotifications(
  tx: Tx,
  recipient: Recipient,
  { notificationIds, isRead }: MarkNotificationsBody,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read_at: isRead ? sql<Date>`coalesce(read_at, clock_timestamp())` : null })
    .where('id', 'in', (select) =>
      select
        .selectFrom('notifications')
        .select('id')
        .where(recipientCondition(recipient))
        .where('id', 'in', notificationIds)
        .orderBy('id')
        .forUpdate(),
    )
    .execute()
}

/**
 * `until` is the time of the newest notification on the screen; later ones stay unread. Throws AppError
 * `invalid_request` for an invalid time.
 */
export async function readAllNotifications(tx: Tx, recipient: Recipient, until: string): Promise<void> {
  const seenUntil = new Date(until)
  // The format permits leap seconds, which Date does not support.
  if (Number.isNaN(seenUntil.getTime())) assertNoFaults([faultAt('/until', 'invalid_date')])
  await tx
    .updateTable('notifications')
    .set({ read_at: sql<Date>`clock_timestamp()` })
    .where('id', 'in', (select) =>
      select
        .selectFrom('notifications')
        .select('id')
        .where(recipientCondition(recipient))
        .where('read_at', 'is', null)
        .where('updated_at', '<=', seenUntil)
        .orderBy('id')
        .forUpdate(),
    )
    .execute()
}

export function toNotification(row: Selectable<NotificationTable>, projectName: string): Notification {
  // The query selects only known kinds.
  const kind = row.kind as NotificationKind
  const { organization_id: organizationId, project_id: projectId, subject, facts, count } = row
  return {
    notificationId: row.id,
    kind,
    projectId,
    projectName,
    text: notificationText({ kind, facts, count }),
    path: notificationPath({ kind, organizationId, projectId, subject, count }),
    count,
    isRead: row.read_at !== null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
