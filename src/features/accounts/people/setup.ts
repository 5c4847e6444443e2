/** Sign-up of the first owner by a link that only the terminal shows. Such links also reset passwords. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import { recordAudit } from '../../../database/audit.ts'
import type { Database, Tx } from '../../../database/database.ts'
import type { AuditAction } from '../../audit-actions.ts'
import { createOrganization } from '../organizations/organizations.ts'
import { addMember, hasOwner, listMemberships } from './members.ts'
import { consumeOneTimeLink, createOneTimeLink } from './one-time-links.ts'
import { makeOperator } from './operators.ts'
import { checkPassword, confirmAddress, createUser, replacePassword, type User } from './users.ts'

export function createSetupToken({ transaction, queries }: Database): Promise<string | null> {
  return hasOwner(queries).then((isSetUp) =>
    isSetUp ? null : transaction((tx) => createOneTimeLink(tx, { purpose: 'setup', userId: null })),
  )
}

/**
 * Creates the owner of every existing organization, or of a new one when there is none. Concurrent calls create one
 * owner. Throws AppError `setup_done`, `one_time_link_over`, `invalid_request` for the password.
 */
export async function setUp(
  tx: Tx,
  input: { token: string; name: string; email: string; password: string },
): Promise<{ user: User; organizationId: string }> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('setup', 0))`.execute(tx)
  if (await hasOwner(tx)) throw new AppError('setup_done')
  const link = await consumeOneTimeLink(tx, { purpose: 'setup', token: input.token })
  if (link === null) throw new AppError('one_time_link_over')
  checkPassword(input.password, input)
  const user = await createUser(tx, input)
  const organizationIds = await findOrCreateOrganizations(tx, user.id)
  for (const organizationId of organizationIds) {
    await addMember(tx, { organizationId, userId: user.id, email: user.email, role: 'owner', actor: user.id })
  }
  await makeOperator(tx, user, user.id)
  return { user, organizationId: organizationIds[0] as string }
}

export function createPasswordToken(tx: Tx, userId: string): Promise<string> {
  return createOneTimeLink(tx, { purpose: 'password', userId })
}

/** Ends every session of the account. Throws AppError `one_time_link_over`, `invalid_request` for the password. */
export async function resetPassword(tx: Tx, input: { token: string; password: string }): Promise<User> {
  const link = await consumeOneTimeLink(tx, { purpose: 'password', token: input.token })
  if (link === null || link.userId === null) throw new AppError('one_time_link_over')
  const user = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', link.userId)
    .executeTakeFirstOrThrow()
  checkPassword(input.password, user)
  await replacePassword(tx, { userId: user.id, password: input.password })
  await confirmAddress(tx, user.id)
  await recordForPerson(tx, user.id, { action: 'member.password_reset', details: { email: user.email } })
  return user
}

export async function recordForPerson(
  tx: Tx,
  userId: string,
  {
    action,
    details,
    actor = userId,
  }: { action: AuditAction; details: Record<string, unknown>; actor?: string },
): Promise<void> {
  for (const { organizationId } of await listMemberships(tx, userId)) {
    await recordAudit(tx, { organizationId, actor, action, subject: userId, details })
  }
}

async function findOrCreateOrganizations(tx: Tx, actor: string): Promise<string[]> {
  const rows = await tx.selectFrom('organizations').select('id').orderBy('created_at').orderBy('id').execute()
  if (rows.length > 0) return rows.map((row) => row.id)
  const { id } = await createOrganization(tx, { name: 'My organization', plan: 'enterprise', actor })
  return [id]
}
