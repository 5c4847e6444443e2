/**
 * Sends notifications by mail. The user's preference for the kind of a new notification determines whether it
 * is sent in the next mail, in the daily digest, or not at all. The contents of a mail are determined when it
 * is sent: all notifications that are still unread and visible to the user.
 *
 *     notification, new ──▶ now | daily ──sent──▶ in one mail
 *                       └─▶ off
 */
import { CompiledQuery, sql } from 'kysely'
import { createId } from '../../../base/ids.ts'
import type { Database, Queries, Tx } from '../../../database/database.ts'
import {
  type MailFrequency,
  NOTIFICATION_KIND_NAMES,
  NOTIFICATION_KINDS,
} from '../operations/notification-kinds.ts'
import type { Notification } from '../operations/notifications.ts'
import { type MailNotifications, readMailNotifications } from '../read-notifications.ts'
import type { MailContentDeps, PreparedMail } from './links.ts'
import { renderMail } from './mail-content.ts'
import type { ClaimedMail } from './mail-queue.ts'
import { oneLine } from './mailbox.ts'
import { unsubscribeAddress } from './unsubscribe.ts'

const BATCH_LINES = 500
/**
 * Delay before sending, so that notifications are combined into one mail and those read on the dashboard in the
 * meantime are omitted.
 */
const GATHER_DELAY_SECONDS = 30
/** Limit per user and organization, beyond which notifications are combined into one mail. */
const MAX_MAILS_PER_HOUR = 10
/** Hours after which an unsent mail is outdated and dropped. */
export const GIVE_UP_HOURS = 48
const MAX_LINES = 20

const KIND_BY_FREQUENCY: Record<Exclude<MailFrequency, 'off'>, 'notifications' | 'digest'> = {
  now: 'notifications',
  daily: 'digest',
}

const DEFAULT_FREQUENCIES = JSON.stringify(
  NOTIFICATION_KIND_NAMES.map((kind) => ({ kind, pace: NOTIFICATION_KINDS[kind].mail })),
)

// Visibility of a notification to its user is checked only when the mail is sent.
const DECIDE_MAILS = `
  WITH line AS (
    SELECT id, organization_id, user_id, kind FROM notifications WHERE mail_pace = 'new'
    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
  ), decided AS (
    SELECT line.id, CASE WHEN $3 AND NOT coalesce(person.is_off, false)
      THEN coalesce(choice.pace, usual.pace, 'off') ELSE 'off' END AS pace
    FROM line
    LEFT JOIN jsonb_to_recordset($1::jsonb) AS usual(kind text, pace text) ON usual.kind = line.kind
    LEFT JOIN mail_choices AS choice ON choice.organization_id = line.organization_id
      AND choice.user_id = line.user_id AND choice.kind = line.kind
    LEFT JOIN mail_people AS person ON person.organization_id = line.organization_id
      AND person.user_id = line.user_id
  )
  UPDATE notifications SET mail_pace = decided.pace FROM decided WHERE notifications.id = decided.id
  RETURNING organization_id AS "organizationId", user_id AS "userId", mail_pace AS pace`

interface MailDecision {
  organizationId: string
  userId: string
  pace: MailFrequency
}

/**
 * Processes all new notifications. Notifications that arrive while mail is not configured are never mailed,
 * so that enabling mail does not send old ones.
 */
export async function scheduleMails(
  { transaction }: Pick<Database, 'transaction'>,
  { sends }: { sends: boolean },
  signal: AbortSignal,
): Promise<void> {
  for (let looked = BATCH_LINES; looked === BATCH_LINES; ) {
    signal.throwIfAborted()
    looked = await transaction(async (tx) => {
      const { rows } = await tx.executeQuery<MailDecision>(
        CompiledQuery.raw(DECIDE_MAILS, [DEFAULT_FREQUENCIES, BATCH_LINES, sends]),
      )
      await queueNotificationMails(tx, rows)
      return rows.length
    })
  }
}

// If the waiting mail is being claimed, waits and creates a new mail, because the claimed mail's contents may
// already be determined.
const QUEUE_MAILS = `
  INSERT INTO mails (id, kind, organization_id, user_id, address, subject, due_at, give_up_at)
  SELECT wanted.id, wanted.kind, wanted."organizationId", wanted."userId", person.email, '', due.at,
    due.at + make_interval(hours => ${GIVE_UP_HOURS})
  FROM jsonb_to_recordset($1::jsonb) AS wanted(id text, kind text, "organizationId" text, "userId" text)
  JOIN users AS person ON person.id = wanted."userId"
  LEFT JOIN mail_people AS chosen ON chosen.organization_id = wanted."organizationId"
    AND chosen.user_id = wanted."userId"
  CROSS JOIN LATERAL (
    SELECT CASE WHEN wanted.kind = 'digest'
      THEN next_hour_at(coalesce(chosen.digest_hour, 8::smallint), coalesce(chosen.time_zone, 'UTC'))
      ELSE greatest(clock_timestamp() + make_interval(secs => ${GATHER_DELAY_SECONDS}), (
        SELECT ended_at + interval '1 hour' FROM mails AS sent
        WHERE sent.user_id = wanted."userId" AND sent.kind = 'notifications'
          AND sent.organization_id = wanted."organizationId" AND sent.status = 'sent'
          AND sent.created_at > clock_timestamp() - interval '1 day'
        ORDER BY ended_at DESC OFFSET ${MAX_MAILS_PER_HOUR - 1} LIMIT 1)) END AS at
  ) AS due
  ORDER BY wanted."userId", wanted."organizationId", wanted.kind
  ON CONFLICT (organization_id, user_id, kind)
    WHERE status = 'waiting' AND attempts = 0 AND kind IN ('notifications', 'digest')
    DO UPDATE SET due_at = mails.due_at`

async function queueNotificationMails(tx: Tx, decisions: readonly MailDecision[]): Promise<void> {
  const wanted = new Map<string, object>()
  for (const { organizationId, userId, pace } of decisions) {
    if (pace === 'off') continue
    const kind = KIND_BY_FREQUENCY[pace]
    wanted.set(`${organizationId} ${userId} ${kind}`, { id: createId('mail'), kind, organizationId, userId })
  }
  if (wanted.size === 0) return
  await tx.executeQuery(CompiledQuery.raw(QUEUE_MAILS, [JSON.stringify([...wanted.values()])]))
}

export async function prepareNotifications(deps: MailContentDeps, mail: ClaimedMail): Promise<PreparedMail> {
  const { organizationId, userId } = mail
  const { queries } = deps.database
  const person =
    organizationId === null || userId === null ? null : await findPerson(queries, organizationId, userId)
  if (person === null) return { dropped: 'The person has left.' }
  if (person.isOff) return { dropped: 'The person has turned off emails.' }
  await assignLines(queries, mail)
  const mailedLines = await readMailNotifications(queries, person, mail.id, MAX_LINES)
  const [first] = mailedLines.notifications
  if (first === undefined) return { dropped: 'All of it has been read.' }
  return { mail: notificationContent(deps, mail, person, { ...mailedLines, first }) }
}

/** A retried mail keeps its original contents. */
async function assignLines(queries: Queries, { id, kind, organizationId, userId, attempts }: ClaimedMail) {
  if (attempts > 1) {
    const held = await queries
      .selectFrom('notifications')
      .select('id')
      .where('mail_id', '=', id)
      .executeTakeFirst()
    if (held !== undefined) return
  }
  await queries
    .updateTable('notifications')
    .set({ mail_id: id })
    .where('organization_id', '=', organizationId ?? '')
    .where('user_id', '=', userId ?? '')
    .where('mail_pace', '=', kind === 'digest' ? 'daily' : 'now')
    .where('mail_id', 'is', null)
    .where('read_at', 'is', null)
    .execute()
}

type Person = NonNullable<Awaited<ReturnType<typeof findPerson>>>

async function findPerson(queries: Queries, organizationId: string, userId: string) {
  const row = await queries
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .leftJoin('mail_people as chosen', (join) =>
      join
        .onRef('chosen.organization_id', '=', 'member.organization_id')
        .onRef('chosen.user_id', '=', 'member.user_id'),
    )
    .select([
      'person.name',
      'person.email',
      'member.role',
      'organization.name as organizationName',
      sql<boolean>`coalesce(chosen.is_off, false)`.as('isOff'),
    ])
    .where('member.organization_id', '=', organizationId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, organizationId, userId }
}

function notificationContent(
  { publicUrl, source }: MailContentDeps,
  { kind }: ClaimedMail,
  { name, email, organizationId, userId, organizationName }: Person,
  { first, notifications, count }: MailNotifications & { first: Notification },
) {
  const url = publicUrl()
  const organization = oneLine(organizationName, 60)
  const unsubscribe = unsubscribeAddress(url, source.unsubscribe.sign({ organizationId, userId }))
  const foot = [`You get this as a member of ${organization}.`]
  const footLinks = [
    { label: 'Choose which emails you get', href: `${url}/account#notifications` },
    { label: 'Unsubscribe from these emails', href: unsubscribe },
  ]
  const project = oneLine(first.projectName, 60)
  const more = count - notifications.length
  const isOne = notifications.length === 1 && more === 0
  const content = isOne
    ? renderMail({
        subject: `[${project}] ${oneLine(first.text, 120)}`,
        heading: oneLine(first.text, 300),
        paragraphs: [`Project: ${project}`],
        action: { label: 'Open it', href: `${url}${first.path}` },
        foot,
        footLinks,
      })
    : renderMail({
        subject: `[${organization}] ${count} ${kind === 'digest' ? 'notifications since yesterday' : 'new notifications'}`,
        heading: kind === 'digest' ? `Your daily summary from ${organization}` : `News from ${organization}`,
        paragraphs: [],
        entries: notifications.map((one) => ({
          title: oneLine(one.text, 300),
          about: `${oneLine(one.projectName, 60)} · ${one.updatedAt.slice(0, 16).replace('T', ' ')} UTC`,
          href: `${url}${one.path}`,
        })),
        action: {
          label: more > 0 ? `See ${more} more` : 'All notifications',
          href: `${url}/o/${organizationId}/notifications`,
        },
        foot,
        footLinks,
      })
  const headers = {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return { to: { name, address: email }, ...content, headers }
}
