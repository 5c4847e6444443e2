/** Members of an organization and their roles. An organization with owners always keeps at least one. */

import { sql } from 'kysely'
import type { Plan } from '../../../base/api/plans.ts'
import { lowerRole, type Role, roleHasPermission } from '../../../base/api/roles.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { recordAudit, recordNoChange, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { revokeApiKey } from '../keys/api-keys.ts'
import type { Member, MemberKeys } from '../operations/people.ts'

export interface Membership {
  organizationId: string
  organizationName: string
  plan: Plan
  role: Role
}

/** The person who changes a member. `role` is null for the command line, which has every permission. */
export interface Changer {
  id: string
  organizationId: string
  role: Role | null
}

export async function listMemberships(db: Queries, userId: string): Promise<Membership[]> {
  return selectMemberships(db).where('member.user_id', '=', userId).execute()
}

export async function findMembership(
  db: Queries,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<Membership | null> {
  const found = await selectMemberships(db)
    .where('member.user_id', '=', userId)
    .where('member.organization_id', '=', organizationId)
    .executeTakeFirst()
  return found ?? null
}

/** Returns whether any organization has an owner. Until then, the installation is not set up. */
export async function hasOwner(db: Queries): Promise<boolean> {
  const owner = await db
    .selectFrom('members')
    .select('user_id')
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

/** Oldest first. */
export async function listMembers(db: Queries, organizationId: string): Promise<Member[]> {
  const rows = await selectMembers(db, organizationId)
    .orderBy('member.created_at')
    .orderBy('member.user_id')
    .execute()
  return rows.map(toMember)
}

/** Throws AppError `member_exists`. */
export async function addMember(
  tx: Tx,
  input: { organizationId: string; userId: string; email: string; role: Role; actor: string },
): Promise<void> {
  const { organizationId, userId, role, email } = input
  const inserted = await tx
    .insertInto('members')
    .values({ organization_id: organizationId, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (inserted === undefined) throw new AppError('member_exists')
  await recordAudit(tx, {
    organizationId,
    actor: input.actor,
    action: 'member.joined',
    subject: userId,
    details: { email, role },
  })
}

/** Throws AppError `not_found`, `role_missing` when an owner is involved, `last_owner`. */
export async function changeRole(
  tx: Tx,
  { userId, role, changer }: { userId: string; role: Role; changer: Changer },
): Promise<Member> {
  const { organizationId } = changer
  const member = await lockMember(tx, organizationId, userId)
  if (member.role === role) recordNoChange(tx)
  else {
    if (member.role === 'owner' || role === 'owner') requireOwner(changer)
    if (member.role === 'owner') await requireOtherOwner(tx, organizationId, userId)
    await tx
      .updateTable('members')
      .set({ role })
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute()
    await recordAudit(tx, {
      organizationId,
      actor: changer.id,
      action: 'member.role_changed',
      subject: userId,
      details: { email: member.email, from: member.role, to: role },
    })
  }
  const row = await selectMembers(tx, organizationId)
    .where('member.user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return toMember(row)
}

/**
 * Takes effect on the next request by the member or with one of their keys. Members may always remove themselves.
 * Returns the number of keys affected. Throws AppError `not_found`, `role_missing`, `last_owner`, or `invalid_request`
 * if there is nobody to take over the keys.
 */
export async function removeMember(
  tx: Tx,
  { userId, changer, keys }: { userId: string; changer: Changer; keys: MemberKeys },
): Promise<number> {
  const { organizationId } = changer
  const isSelf = changer.id === userId
  if (!isSelf && changer.role !== null && !roleHasPermission(changer.role, 'members')) {
    throw new AppError('role_missing')
  }
  const member = await lockMember(tx, organizationId, userId)
  if (member.role === 'owner') {
    requireOwner(changer)
    await requireOtherOwner(tx, organizationId, userId)
  }
  if (keys === 'hand_over' && isSelf)
    throw new AppError('invalid_request', {
      details: [faultAt('keys', 'own_keys')],
    })
  const leaving = { organizationId, userId, role: member.role }
  const keyCount = await endMemberKeys(tx, leaving, { keys, actor: changer.id })
  await unassignFeedback(tx, leaving)
  await tx
    .deleteFrom('members')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  await recordAudit(tx, {
    organizationId,
    actor: changer.id,
    action: isSelf ? 'member.left' : 'member.removed',
    subject: userId,
    details: { email: member.email, role: member.role, ...(keyCount === 0 ? {} : { keys, keyCount }) },
  })
  return keyCount
}

/** Unassigns the feedback of this organization; feedback of other organizations stays assigned. */
async function unassignFeedback(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .forUpdate()
    .execute()
  // Rows are locked in the same order as by bulk changes, which prevents deadlocks.
  await sql`
    WITH picked AS MATERIALIZED (
      SELECT id FROM feedback
      WHERE assignee_id = ${userId}
        AND project_id IN (SELECT id FROM all_projects WHERE organization_id = ${organizationId})
      ORDER BY sort_at DESC, id DESC FOR UPDATE
    )
    , changed AS (
      UPDATE feedback SET assignee_id = NULL, updated_at = clock_timestamp()
      FROM picked WHERE feedback.id = picked.id RETURNING feedback.id
    )
    INSERT INTO feedback_changes (feedback_id, actor, from_assignee)
    SELECT id, ${SYSTEM_ACTOR}, ${userId} FROM changed`.execute(tx)
}

/** Throws AppError `role_missing` unless the caller may add and remove owners. */
export function requireOwner(changer: Changer): void {
  if (changer.role !== null && !roleHasPermission(changer.role, 'owners')) {
    throw new AppError('role_missing', { params: { reason: 'owner' } })
  }
}

/** Serializes changes of an organization's members: two owners who leave at the same time must not both succeed. */
async function lockMember(
  tx: Tx,
  organizationId: string,
  userId: string,
): Promise<{ role: Role; email: string }> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forUpdate().execute()
  const member = await tx
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .select(['member.role', 'person.email'])
    .where('member.organization_id', '=', organizationId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst()
  if (member === undefined) throw new AppError('not_found')
  return member
}

async function requireOtherOwner(tx: Tx, organizationId: string, userId: string): Promise<void> {
  const other = await tx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', userId)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw new AppError('last_owner')
}

function selectMemberships(db: Queries) {
  return db
    .selectFrom('members as member')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .select([
      'organization.id as organizationId',
      'organization.name as organizationName',
      'organization.plan',
      'member.role',
    ])
    .orderBy('organization.created_at')
    .orderBy('organization.id')
}

function selectMembers(db: Queries, organizationId: string) {
  return db
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .select([
      'member.user_id',
      'person.name',
      'person.email',
      'member.role',
      'person.two_factor_enabled',
      sql<boolean>`EXISTS (SELECT FROM passkeys WHERE user_id = member.user_id)`.as('has_passkey'),
      'member.created_at',
      sql<Date | null>`(SELECT max(updated_at) FROM sessions WHERE user_id = member.user_id)`.as(
        'last_seen_at',
      ),
    ])
    .where('member.organization_id', '=', organizationId)
}

type MemberRow = Awaited<ReturnType<ReturnType<typeof selectMembers>['executeTakeFirstOrThrow']>>

function toMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    role: row.role,
    twoFactorEnabled: row.two_factor_enabled,
    hasPasskey: row.has_passkey,
    joinedAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  }
}

/** A member who leaves; their keys are revoked or taken over by the remover in the same transaction. */
interface LeavingMember {
  organizationId: string
  userId: string
  role: Role
}

/**
 * Revokes or takes over every key of the member that is not revoked yet. A key that is taken over keeps its
 * old limits, because its text may be known to others. Returns the number of keys.
 */
async function endMemberKeys(
  tx: Tx,
  { organizationId, userId, role }: LeavingMember,
  { keys, actor }: { keys: MemberKeys; actor: string },
): Promise<number> {
  const found = await tx
    .selectFrom('api_keys')
    .select(['id', 'name', 'role_limit'])
    .where('organization_id', '=', organizationId)
    .where('maker_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, name, role_limit: limit } of found) {
    if (keys === 'revoke') {
      await revokeApiKey(tx, { keyId: id, organizationId, actor })
      continue
    }
    const roleLimit = limit === null ? role : lowerRole(limit, role)
    await tx
      .updateTable('api_keys')
      .set({ maker_id: actor, role_limit: roleLimit })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'api_key.handed_over',
      subject: id,
      details: { name, from: userId, to: actor, role: roleLimit },
    })
  }
  return found.length
}
