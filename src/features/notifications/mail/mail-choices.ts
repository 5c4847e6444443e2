/** A user's preferences for notification mails in an organization. */
import { sql } from 'kysely'
import { assertNoFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import {
  isNotificationKind,
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
} from '../operations/notification-kinds.ts'
import type { ChangeNotificationMailBody, NotificationMail } from '../operations/notifications.ts'
import { GIVE_UP_HOURS } from './notification-mails.ts'
import { turnOffMails } from './unsubscribe.ts'

interface Person {
  organizationId: string
  userId: string
}

const DEFAULT_DIGEST_HOUR = 8

export async function readNotificationMail(
  queries: Queries,
  { organizationId, userId }: Person,
): Promise<NotificationMail> {
  const person = await queries
    .selectFrom('users')
    .leftJoin('mail_people as chosen', (join) =>
      join.onRef('chosen.user_id', '=', 'users.id').on('chosen.organization_id', '=', organizationId),
    )
    .select(['users.email', 'chosen.is_off', 'chosen.digest_hour', 'chosen.time_zone'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const chosen = await queries
    .selectFrom('mail_choices')
    .select(['kind', 'pace'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  const paces = new Map(chosen.map(({ kind, pace }) => [kind, pace]))
  return {
    address: person.email,
    isOff: person.is_off ?? false,
    digestHour: person.digest_hour ?? DEFAULT_DIGEST_HOUR,
    timeZone: person.time_zone ?? null,
    paces: NOTIFICATION_KIND_NAMES.map((kind) => ({
      kind,
      pace: paces.get(kind) ?? NOTIFICATION_KINDS[kind].mail,
    })),
  }
}

/** Throws AppError `invalid_request` for an unknown time zone. */
export async function changeNotificationMail(
  tx: Tx,
  person: Person,
  { kind, pace, isOff, digestHour, timeZone }: ChangeNotificationMailBody,
): Promise<void> {
  const { organizationId: organization_id, userId: user_id } = person
  if (kind !== undefined && pace !== undefined && isNotificationKind(kind))
    await tx
      .insertInto('mail_choices')
      .values({ organization_id, user_id, kind, pace })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'user_id', 'kind']).doUpdateSet({ pace }),
      )
      .execute()
  if (isOff !== undefined) await turnOffMails(tx, person, isOff)
  if (digestHour === undefined && timeZone === undefined) return
  if (timeZone !== undefined && !(await isTimeZone(tx, timeZone)))
    assertNoFaults([faultAt('/timeZone', 'invalid_time_zone')])
  const change = {
    ...(digestHour === undefined ? {} : { digest_hour: digestHour }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  }
  await tx
    .insertInto('mail_people')
    .values({ organization_id, user_id, ...change })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(change))
    .execute()
  await rescheduleDigest(tx, person)
}

/** Checks with the database, which does all calculations with time zones. */
async function isTimeZone(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM pg_timezone_names WHERE name = ${name}`.execute(tx)
  return rows.length > 0
}

async function rescheduleDigest(tx: Tx, { organizationId, userId }: Person): Promise<void> {
  await sql`
    UPDATE mails SET due_at = next_hour_at(chosen.digest_hour, chosen.time_zone),
      give_up_at = next_hour_at(chosen.digest_hour, chosen.time_zone) + make_interval(hours => ${GIVE_UP_HOURS})
    FROM mail_people AS chosen
    WHERE chosen.organization_id = ${organizationId} AND chosen.user_id = ${userId}
      AND mails.organization_id = chosen.organization_id AND mails.user_id = chosen.user_id
      AND mails.kind = 'digest' AND mails.status = 'waiting' AND mails.attempts = 0`.execute(tx)
}
