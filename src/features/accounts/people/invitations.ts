/**
 * Invitations by a link that is shown once, to the person who sends the invitation.
 *
 *   open      a row without accepted_at and revoked_at, before expires_at
 *   accepted  the person has joined
 *   revoked   withdrawn, or replaced by a newer invitation to the same address
 */

import { sql } from 'kysely'
import type { Role } from '../../../base/api/roles.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { createFault } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import { recordAudit } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Invitation, OpenInvitation } from '../operations/people.ts'
import { acceptsMailDomain, requireMailDomain } from '../organizations/organization-security.ts'
import { addMember, type Changer, requireOwner } from './members.ts'
import { createLinkToken, hashLinkToken } from './one-time-links.ts'
import { checkPassword, createUser, findUserByEmail, normalizeEmail, type User } from './users.ts'

const INVITATION_DAYS = 7

/**
 * Replaces an open invitation to the same address. Throws AppError `role_missing`, `member_exists`,
 * `mail_domain_refused`.
 */
export async function createInvitation(
  tx: Tx,
  input: { email: string; role: Role; changer: Changer },
): Promise<{ invitation: Invitation; token: string }> {
  const { role, changer } = input
  const { organizationId } = changer
  const email = normalizeEmail(input.email)
  if (role === 'owner') requireOwner(changer)
  await requireMailDomain(tx, organizationId, email)
  await requireNoMember(tx, organizationId, email)
  await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<Date>`now()` })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where(isOpen)
    .execute()
  const token = createLinkToken()
  const id = createId('inv')
  await tx
    .insertInto('invitations')
    .values({
      id,
      organization_id: organizationId,
      email,
      role,
      hash: hashLinkToken(token),
      invited_by: changer.role === null ? null : changer.id,
      expires_at: sql<Date>`now() + make_interval(days => ${INVITATION_DAYS})`,
    })
    .execute()
  await recordAudit(tx, {
    organizationId,
    actor: changer.id,
    action: 'member.invited',
    subject: id,
    details: { email, role },
  })
  const row = await selectOpenInvitations(tx).where('invitation.id', '=', id).executeTakeFirstOrThrow()
  return { invitation: toInvitation(row), token }
}

export async function listInvitations(db: Queries, organizationId: string): Promise<Invitation[]> {
  const rows = await selectOpenInvitations(db)
    .where('invitation.organization_id', '=', organizationId)
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.id', 'desc')
    .execute()
  return rows.map(toInvitation)
}

/** Throws AppError `not_found`, `role_missing` for an invitation of an owner. */
export async function revokeInvitation(
  tx: Tx,
  { invitationId, changer }: { invitationId: string; changer: Changer },
): Promise<void> {
  const open = await selectOpenInvitations(tx)
    .where('invitation.id', '=', invitationId)
    .where('invitation.organization_id', '=', changer.organizationId)
    .forUpdate('invitation')
    .executeTakeFirst()
  if (open === undefined) throw new AppError('not_found')
  if (open.role === 'owner') requireOwner(changer)
  await tx
    .updateTable('invitations')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', invitationId)
    .execute()
  await recordAudit(tx, {
    organizationId: changer.organizationId,
    actor: changer.id,
    action: 'invitation.revoked',
    subject: invitationId,
    details: { email: open.email, role: open.role },
  })
}

/** Throws AppError `one_time_link_over` if the link was used, replaced or has expired. */
export async function findInvitation(db: Queries, token: string): Promise<OpenInvitation> {
  const open = await selectOpenInvitations(db)
    .where('invitation.hash', '=', hashLinkToken(token))
    .executeTakeFirst()
  if (open === undefined) throw new AppError('one_time_link_over')
  const account = await findUserByEmail(db, open.email)
  return { ...toOpenInvitation(open), hasAccount: account !== null }
}

export async function findInvitationById(
  db: Queries,
  invitationId: string,
): Promise<Omit<OpenInvitation, 'hasAccount'> | null> {
  const open = await selectOpenInvitations(db).where('invitation.id', '=', invitationId).executeTakeFirst()
  return open === undefined ? null : toOpenInvitation(open)
}

/**
 * Joins with the account that is signed in (`user`), or with a new one. Throws AppError `one_time_link_over`,
 * `other_account`, `account_exists`, `invalid_request` for name and password, `member_exists`.
 */
export async function acceptInvitation(
  tx: Tx,
  given: { token: string; user: User | null; name: string | undefined; password: string | undefined },
): Promise<{ user: User; organizationId: string }> {
  const open = await selectOpenInvitations(tx)
    .where('invitation.hash', '=', hashLinkToken(given.token))
    .forUpdate('invitation')
    .executeTakeFirst()
  if (open === undefined) throw new AppError('one_time_link_over')
  if (given.user !== null && given.user.email !== open.email) throw new AppError('other_account')
  await requireMailDomain(tx, open.organization_id, open.email)
  const user = given.user ?? (await createInvitedUser(tx, open.email, given))
  await closeInvitation(tx, open, user)
  return { user, organizationId: open.organization_id }
}

/** Accepts all open invitations to an address that single sign-on has verified, and returns their number. */
export async function acceptOpenInvitations(
  tx: Tx,
  user: User,
  organizationId: string | null,
): Promise<number> {
  const open = await selectOpenInvitations(tx)
    .where('invitation.email', '=', user.email)
    .$if(organizationId !== null, (query) =>
      query.where('invitation.organization_id', '=', organizationId as string),
    )
    .forUpdate('invitation')
    .execute()
  for (const invitation of open) {
    if (await acceptsMailDomain(tx, invitation.organization_id, user.email))
      await closeInvitation(tx, invitation, user)
  }
  return open.length
}

export async function isInvited(db: Queries, email: string): Promise<boolean> {
  const open = await selectOpenInvitations(db)
    .where('invitation.email', '=', normalizeEmail(email))
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}

async function createInvitedUser(
  tx: Tx,
  email: string,
  { name, password }: { name: string | undefined; password: string | undefined },
): Promise<User> {
  if ((await findUserByEmail(tx, email)) !== null) throw new AppError('account_exists')
  if (name === undefined || password === undefined) {
    throw new AppError('invalid_request', {
      details: [createFault('account_needs')],
    })
  }
  checkPassword(password, { name, email })
  return createUser(tx, { name, email, password })
}

async function closeInvitation(tx: Tx, open: OpenInvitationRow, user: User): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ accepted_at: sql<Date>`now()` })
    .where('id', '=', open.id)
    .execute()
  const { organization_id: organizationId, role } = open
  await addMember(tx, { organizationId, userId: user.id, email: user.email, role, actor: user.id })
}

async function requireNoMember(tx: Tx, organizationId: string, email: string): Promise<void> {
  const member = await tx
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .select('member.user_id')
    .where('member.organization_id', '=', organizationId)
    .where('person.email', '=', email)
    .executeTakeFirst()
  if (member !== undefined) throw new AppError('member_exists')
}

const isOpen = sql<boolean>`accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()`

function selectOpenInvitations(db: Queries) {
  return db
    .selectFrom('invitations as invitation')
    .innerJoin('organizations as organization', 'organization.id', 'invitation.organization_id')
    .leftJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.organization_id',
      'invitation.email',
      'invitation.role',
      'invitation.created_at',
      'invitation.expires_at',
      'organization.name as organization_name',
      'inviter.name as inviter_name',
    ])
    .where(isOpen)
}

type OpenInvitationRow = Awaited<
  ReturnType<ReturnType<typeof selectOpenInvitations>['executeTakeFirstOrThrow']>
>

function toInvitation(row: OpenInvitationRow): Invitation {
  return {
    invitationId: row.id,
    email: row.email,
    role: row.role,
    invitedBy: row.inviter_name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}

function toOpenInvitation(row: OpenInvitationRow): Omit<OpenInvitation, 'hasAccount'> {
  return {
    email: row.email,
    role: row.role,
    organizationName: row.organization_name,
    invitedBy: row.inviter_name,
    expiresAt: row.expires_at.toISOString(),
  }
}
