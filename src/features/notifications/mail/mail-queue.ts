/**
 * Queue of mails. The row of a mail is written in the transaction that causes the mail, which is sent later. An
 * attempt begins with a claim, which increments `attempts` and moves `due_at` past the lease. If the sending
 * process dies, the next claim sends the same mail again, with the same Message-ID. No mail is lost, and a mail
 * is sent twice only if the response of the mail server was lost.
 */
import { type SqlBool, sql } from 'kysely'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { MailSource } from './mail-setup.ts'
import { isMailAddress } from './mailbox.ts'
import type { MailOutcome } from './smtp.ts'

export const MAIL_KINDS = ['invitation', 'password', 'notifications', 'digest'] as const
export type MailKind = (typeof MAIL_KINDS)[number]

export interface NewMail {
  kind: MailKind
  /** Null for a mail that is not related to an organization. */
  organizationId: string | null
  /** Null if it is unknown whether an account exists. */
  userId: string | null
  address: string
  /** Id of the object to which the mail relates. */
  subject: string
  /** Secret link for the recipient, stored encrypted until the mail is sent or dropped. */
  link?: string
  giveUpHours: number
}

export interface ClaimedMail {
  id: string
  kind: string
  organizationId: string | null
  userId: string | null
  address: string
  subject: string
  sealed: Buffer | null
  /** Number of the current attempt, starting at 1. */
  attempts: number
  createdAt: Date
}

/** Time after which an attempt is considered lost. */
const LEASE_SECONDS = 150
/** Delays in seconds after each attempt; the last one applies to all further attempts. */
const RETRY_DELAYS = [20, 60, 300, 900, 1800, 3600, 7200, 14_400]

export async function queueMail(
  tx: Tx,
  { linkSecrets }: Pick<MailSource, 'linkSecrets'>,
  { kind, organizationId, userId, address, subject, link, giveUpHours }: NewMail,
): Promise<boolean> {
  if (!isMailAddress(address)) return false
  const id = createId('mail')
  await tx
    .insertInto('mails')
    .values({
      id,
      kind,
      organization_id: organizationId,
      user_id: userId,
      address,
      subject,
      sealed: link === undefined ? null : linkSecrets.seal(Buffer.from(link), id),
      due_at: sql<Date>`clock_timestamp()`,
      give_up_at: sql<Date>`clock_timestamp() + make_interval(hours => ${giveUpHours})`,
    })
    .execute()
  return true
}

/** Counts recent mails of a kind from an organization or to an address, up to `most`. */
export async function countMails(
  tx: Tx,
  { kind, hours, most, ...of }: { kind: MailKind; hours: number; most: number } & MailScope,
): Promise<number> {
  const { rows } = await sql<{ mails: number }>`
    SELECT count(*)::integer AS mails FROM (
      SELECT FROM mails WHERE ${scopeKey(of)} AND kind = ${kind}
        AND created_at > clock_timestamp() - make_interval(hours => ${hours}) LIMIT ${most}
    ) AS newest`.execute(tx)
  return rows[0]?.mails ?? 0
}

/** Holds a lock until the transaction ends, so that concurrent requests cannot exceed the limit together. */
export async function lockMailCount(tx: Tx, scope: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`mails:${scope}`}, 0))`.execute(tx)
}

export type MailScope = { organizationId: string } | { address: string }

function scopeKey(of: MailScope) {
  return 'organizationId' in of
    ? sql<SqlBool>`organization_id = ${of.organizationId}`
    : sql<SqlBool>`address = ${of.address}`
}

export async function claimMails(queries: Queries, maxMails: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    UPDATE mails SET attempts = mails.attempts + 1,
      due_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    FROM (
      SELECT id FROM mails WHERE status = 'waiting' AND due_at <= now()
      ORDER BY due_at LIMIT ${maxMails} FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE mails.id = due.id
    RETURNING mails.id, kind, organization_id AS "organizationId", user_id AS "userId", address, subject, sealed,
      attempts, created_at AS "createdAt"`.execute(queries)
  return rows
}

/**
 * Fails mails that expired before an attempt, because no mail server was set or no worker was running.
 * Deletes their links.
 */
export async function failExpiredMails(queries: Queries): Promise<void> {
  await sql`
    UPDATE mails SET status = 'failed', error = coalesce(error, 'It could not be sent in its time.'), sealed = NULL,
      ended_at = clock_timestamp()
    WHERE id IN (
      SELECT id FROM mails WHERE status = 'waiting' AND due_at <= now() AND give_up_at <= now()
      FOR UPDATE SKIP LOCKED)`.execute(queries)
}

/** Records the outcome of an attempt. If two attempts sent the same mail, success takes precedence. */
export async function recordMailOutcome(
  queries: Queries,
  mail: ClaimedMail,
  outcome: MailOutcome,
): Promise<void> {
  if (outcome.kind === 'sent') return await endMail(queries, mail, 'sent', null)
  const { sentence, isFinal } = outcome
  if (isFinal) return await endMail(queries, mail, 'failed', sentence)
  const delay = retryDelay(mail.attempts)
  // `now()` has the same value throughout the statement.
  const next = sql<Date>`now() + make_interval(secs => ${delay})`
  await sql`
    UPDATE mails SET error = ${sentence},
      status = CASE WHEN ${next} < give_up_at THEN 'waiting' ELSE 'failed' END,
      due_at = CASE WHEN ${next} < give_up_at THEN ${next} ELSE due_at END,
      ended_at = CASE WHEN ${next} < give_up_at THEN NULL ELSE clock_timestamp() END,
      sealed = CASE WHEN ${next} < give_up_at THEN sealed END
    WHERE id = ${mail.id} AND status = 'waiting' AND attempts = ${mail.attempts}`.execute(queries)
}

export async function dropMail(queries: Queries, mail: ClaimedMail, reason: string): Promise<void> {
  await endMail(queries, mail, 'dropped', reason)
}

async function endMail(
  queries: Queries,
  { id }: ClaimedMail,
  status: 'sent' | 'failed' | 'dropped',
  error: string | null,
): Promise<void> {
  await queries
    .updateTable('mails')
    .set({ status, error, sealed: null, ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

/** Returns 75 to 100 % of the delay, so that simultaneous failures are not retried simultaneously. */
function retryDelay(attempts: number): number {
  const delay = RETRY_DELAYS[Math.min(attempts, RETRY_DELAYS.length) - 1] ?? 0
  return delay * (0.75 + Math.random() / 4)
}

export interface MailQueueState {
  waiting: number
  failed: number
  lastError: string | null
}

const MAX_COUNTED_MAILS = 1000

export async function readMailQueue(queries: Queries): Promise<MailQueueState> {
  const { rows } = await sql<MailQueueState>`
    SELECT
      (SELECT count(*)::integer FROM (
        SELECT FROM mails WHERE status = 'waiting' LIMIT ${MAX_COUNTED_MAILS}) AS waits) AS waiting,
      (SELECT count(*)::integer FROM (
        SELECT FROM mails WHERE status = 'failed' AND ended_at > clock_timestamp() - interval '1 day'
        LIMIT ${MAX_COUNTED_MAILS}) AS failures) AS failed,
      (SELECT error FROM (
        (SELECT error, created_at FROM mails WHERE status = 'waiting' AND error IS NOT NULL
         ORDER BY created_at DESC LIMIT 1)
        UNION ALL
        (SELECT error, created_at FROM mails WHERE status = 'failed' AND ended_at > clock_timestamp() - interval '1 day'
         ORDER BY ended_at DESC LIMIT 1)) AS errors ORDER BY created_at DESC LIMIT 1) AS "lastError"`.execute(
    queries,
  )
  return rows[0] ?? { waiting: 0, failed: 0, lastError: null }
}
