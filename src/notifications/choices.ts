/** What a person wants to be told: of all projects, and of single ones where that differs. */
import { sql } from 'kysely'
import { AppError } from '../contract/errors.ts'
import { isNotificationKind } from '../contract/notification-kinds.ts'
import type { ChooseNotificationsBody, NotificationSettings } from '../contract/notifications.ts'
import type { Queries, Tx } from '../database/database.ts'
import { kindsOf, type Recipient } from './read-notifications.ts'

export async function readNotificationSettings(
  queries: Queries,
  recipient: Recipient,
  hasMail: boolean,
): Promise<NotificationSettings> {
  const rows = await queries
    .selectFrom('notification_choices as choice')
    .leftJoin('projects', 'projects.id', 'choice.project_id')
    .select(['choice.kind', 'choice.project_id', 'choice.dashboard', 'choice.mail'])
    .where('choice.organization_id', '=', recipient.organizationId)
    .where('choice.user_id', '=', recipient.userId)
    .where((either) =>
      either.or([either('choice.project_id', 'is', null), either('projects.id', 'is not', null)]),
    )
    .orderBy('choice.project_id')
    .orderBy('choice.kind')
    .execute()
  return {
    hasMail,
    kinds: kindsOf(recipient.role),
    choices: rows.flatMap(({ kind, project_id: projectId, dashboard, mail }) =>
      isNotificationKind(kind) ? [{ kind, projectId, dashboard, mail }] : [],
    ),
  }
}

/** Channels that are left out stay as they are. Throws AppError `not_found` for a project of elsewhere. */
export async function chooseNotifications(
  tx: Tx,
  { organizationId, userId }: Recipient,
  { kind, projectId, dashboard, mail }: ChooseNotificationsBody,
): Promise<void> {
  if (projectId !== null && !(await isProjectOf(tx, organizationId, projectId)))
    throw new AppError('not_found')
  const chosen = {
    ...(dashboard === undefined ? {} : { dashboard }),
    ...(mail === undefined ? {} : { mail }),
  }
  if (Object.keys(chosen).length === 0) return
  await tx
    .insertInto('notification_choices')
    .values({
      organization_id: organizationId,
      user_id: userId,
      project_id: projectId,
      kind,
      dashboard: null,
      mail: null,
      ...chosen,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'project_id', 'kind']).doUpdateSet(chosen),
    )
    .execute()
  await sql`DELETE FROM notification_choices WHERE organization_id = ${organizationId} AND user_id = ${userId}
    AND dashboard IS NULL AND mail IS NULL`.execute(tx)
}

async function isProjectOf(tx: Tx, organizationId: string, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return row !== undefined
}
