/** Mails with a personal link: invitations and password resets. */
import { sql } from 'kysely'
import type { Role } from '../../../base/api/roles.ts'
import type { Database, Tx } from '../../../database/database.ts'
import type { CreatedInvitation } from '../../accounts/operations/people.ts'
import { createInvitation, findInvitationById } from '../../accounts/people/invitations.ts'
import type { Changer } from '../../accounts/people/members.ts'
import { LINK_HOURS } from '../../accounts/people/one-time-links.ts'
import { createPasswordToken } from '../../accounts/people/setup.ts'
import { findUserByEmail, hasPassword } from '../../accounts/people/users.ts'
import { type EnvironmentSignIn, readSignInSettings } from '../../accounts/sign-in/sign-in-settings.ts'
import { renderMail } from './mail-content.ts'
import { type ClaimedMail, countMails, lockMailCount, queueMail } from './mail-queue.ts'
import { isMailEnabled, type MailSource } from './mail-setup.ts'
import { oneLine } from './mailbox.ts'
import type { Mail } from './smtp.ts'

export type PreparedMail = { mail: Mail } | { dropped: string }

export interface MailContentDeps {
  database: Database
  source: MailSource
  publicUrl: () => string
  environmentSignIn: EnvironmentSignIn
}

/** Per organization, because members who invite can choose any addresses and names. */
const MAX_INVITATIONS_PER_HOUR = 100
/** Per address and day, across all organizations. */
const MAX_INVITATIONS_PER_ADDRESS = 5
const MAX_PASSWORD_MAILS_PER_HOUR = 3

interface MailedInvitation {
  invitationId: string
  organizationId: string
  email: string
  link: string
}

export interface InviteDeps {
  mailSource: MailSource
  publicUrl: () => string
}

/** Creates an invitation and returns its link once, to the inviter. Throws like `createInvitation`. */
export async function inviteByMail(
  tx: Tx,
  { mailSource, publicUrl }: InviteDeps,
  wanted: { email: string; role: Role; changer: Changer },
): Promise<CreatedInvitation> {
  const { invitation, token } = await createInvitation(tx, wanted)
  const link = `${publicUrl()}/invitation#token=${token}`
  const mail = { ...invitation, organizationId: wanted.changer.organizationId, link }
  const isMailed = await mailInvitation(tx, mailSource, mail)
  return { ...invitation, link, isMailed }
}

/** Queues the mail in the invitation's transaction. Returns false without a mail server or over a limit. */
async function mailInvitation(
  tx: Tx,
  source: MailSource,
  { invitationId, organizationId, email, link }: MailedInvitation,
): Promise<boolean> {
  if (!(await isMailEnabled(source, tx))) return false
  const kind = 'invitation'
  await lockMailCount(tx, `organization:${organizationId}`)
  await lockMailCount(tx, `address:${email}`)
  const sentByOrganization = { kind, organizationId, hours: 1, most: MAX_INVITATIONS_PER_HOUR } as const
  if ((await countMails(tx, sentByOrganization)) >= MAX_INVITATIONS_PER_HOUR) return false
  const sentToAddress = { kind, address: email, hours: 24, most: MAX_INVITATIONS_PER_ADDRESS } as const
  if ((await countMails(tx, sentToAddress)) >= MAX_INVITATIONS_PER_ADDRESS) return false
  const giveUpHours = 7 * 24
  const mail = { kind, organizationId, userId: null, address: email, subject: invitationId } as const
  return await queueMail(tx, source, { ...mail, link, giveUpHours })
}

export async function prepareInvitation(
  { database, source }: MailContentDeps,
  mail: ClaimedMail,
): Promise<PreparedMail> {
  const link = mail.sealed === null ? null : source.linkSecrets.open(mail.sealed, mail.id)
  const open = await findInvitationById(database.queries, mail.subject)
  if (open === null) return { dropped: 'The invitation is no longer open.' }
  if (link === null) return { dropped: 'The secret of the server has changed.' }
  const organization = oneLine(open.organizationName, 80)
  const inviter = open.invitedBy === null ? null : oneLine(open.invitedBy, 60)
  const mailContent = renderMail({
    subject: `Invitation to ${organization} on Octavo`,
    heading: `You are invited to ${organization}`,
    paragraphs: [
      inviter === null
        ? `You have been invited to work on the documentation of ${organization} as ${open.role}.`
        : `${inviter} has invited you to work on the documentation of ${organization} as ${open.role}.`,
      `The invitation is for ${mail.address}. It can be used once, until ${dateOf(open.expiresAt)}.`,
    ],
    action: { label: 'Accept the invitation', href: link.toString() },
    foot: ["Don't know what this is about? Ignore this email; nothing happens unless you use the link."],
  })
  return { mail: { to: { name: '', address: mail.address }, ...mailContent } }
}

/**
 * Available to everyone, for any address. Looks up the account only when the mail is sent, so that the
 * response takes the same time for every address.
 */
export async function mailPasswordLink(tx: Tx, source: MailSource, email: string): Promise<void> {
  if (!(await isMailEnabled(source, tx))) return
  const kind = 'password'
  await lockMailCount(tx, `address:${email}`)
  const bound = { kind, address: email, hours: 1, most: MAX_PASSWORD_MAILS_PER_HOUR } as const
  if ((await countMails(tx, bound)) >= MAX_PASSWORD_MAILS_PER_HOUR) return
  const mail = { kind, organizationId: null, userId: null, address: email, subject: '' } as const
  await queueMail(tx, source, { ...mail, giveUpHours: 1 })
}

export async function preparePassword(deps: MailContentDeps, mail: ClaimedMail): Promise<PreparedMail> {
  const { environmentSignIn, source, database } = deps
  const { instanceSecrets } = source
  const { isPasswordOpen } = await readSignInSettings(database.queries, {
    instanceSecrets,
    environmentSignIn,
  })
  if (!isPasswordOpen) return { dropped: 'Password sign-in is turned off.' }
  const link = await passwordLink(deps, mail)
  if (link === null) return { dropped: 'There is no account with a password for this email address.' }
  const mailContent = renderMail({
    subject: 'Set a new password for Octavo',
    heading: 'Set a new password',
    paragraphs: [
      `A new password was requested for ${mail.address} at ${new URL(deps.publicUrl()).host}.`,
      `The link works once, within ${LINK_HOURS} hours. Using it ends all sessions of the account.`,
    ],
    action: { label: 'Set a new password', href: link },
    foot: ["Didn't request this? Ignore this email; your password won't change."],
  })
  return { mail: { to: { name: '', address: mail.address }, ...mailContent } }
}

/**
 * The first attempt creates the link and later attempts reuse it, because a new link would invalidate an
 * earlier one that may have been delivered.
 */
async function passwordLink(
  { database, source, publicUrl }: MailContentDeps,
  mail: ClaimedMail,
): Promise<string | null> {
  return await database.transaction(async (tx) => {
    const row = await tx
      .selectFrom('mails')
      .select('sealed')
      .where('id', '=', mail.id)
      .where('status', '=', 'waiting')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return null
    const storedLink = row.sealed === null ? null : source.linkSecrets.open(row.sealed, mail.id)
    if (storedLink !== null) return storedLink.toString()
    const user = await findUserByEmail(tx, mail.address)
    if (user === null || !(await hasPassword(tx, user.id))) return null
    const link = `${publicUrl()}/reset-password#token=${await createPasswordToken(tx, user.id)}`
    await tx
      .updateTable('mails')
      .set({
        sealed: source.linkSecrets.seal(Buffer.from(link), mail.id),
        user_id: user.id,
        give_up_at: sql<Date>`clock_timestamp() + make_interval(hours => ${LINK_HOURS})`,
      })
      .where('id', '=', mail.id)
      .execute()
    return link
  })
}

function dateOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
