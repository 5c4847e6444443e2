/** Notification preferences of a user: for all projects, with exceptions for individual projects. */
import { AppError, assertNoFaults } from '../../base/errors/errors.ts'
import { faultAt } from '../../base/errors/fault.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { isNotificationKind, levelsOf } from './operations/notification-kinds.ts'
import type { ChooseNotificationsBody, NotificationSettings } from './operations/notifications.ts'
import { kindsForRole, type Recipient } from './read-notifications.ts'

export async function readNotificationSettings(
  queries: Queries,
  { organizationId, userId, role }: Recipient,
): Promise<Omit<NotificationSettings, 'mail'>> {
  const rows = await queries
    .selectFrom('notification_choices as choice')
    .leftJoin('projects', (join) =>
      join
        .onRef('projects.id', '=', 'choice.project_id')
        .onRef('projects.organization_id', '=', 'choice.organization_id'),
    )
    .select(['choice.kind', 'choice.project_id', 'choice.level'])
    .where('choice.organization_id', '=', organizationId)
    .where('choice.user_id', '=', userId)
    .where((either) =>
      either.or([either('choice.project_id', 'is', null), either('projects.id', 'is not', null)]),
    )
    .orderBy('choice.project_id')
    .orderBy('choice.kind')
    .execute()
  return {
    kinds: kindsForRole(role),
    choices: rows.flatMap(({ kind, project_id: projectId, level }) =>
      isNotificationKind(kind) ? [{ kind, projectId, level }] : [],
    ),
  }
}

/**
 * Throws AppError `not_found` for a project of another organization, `invalid_request` for a level that the kind does
 * not have.
 */
export async function chooseNotifications(
  tx: Tx,
  { organizationId, userId }: Recipient,
  { kind, projectId, level }: ChooseNotificationsBody,
): Promise<void> {
  const levels = levelsOf(kind)
  if (level !== null && !levels.includes(level))
    assertNoFaults([faultAt('/level', 'level_of_kind', { values: levels })])
  if (projectId !== null && !(await isProjectOf(tx, organizationId, projectId)))
    throw new AppError('not_found')
  if (level === null) {
    await tx
      .deleteFrom('notification_choices')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('project_id', 'is not distinct from', projectId)
      .where('kind', '=', kind)
      .execute()
    return
  }
  const choiceKey = { organization_id: organizationId, user_id: userId, project_id: projectId, kind }
  await tx
    .insertInto('notification_choices')
    .values({ ...choiceKey, level })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'project_id', 'kind']).doUpdateSet({ level }),
    )
    .execute()
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
