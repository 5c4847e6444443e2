/** Operators of the server: the first owner, and users named on the command line. */

import { recordAudit } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { AuditAction } from '../../audit-actions.ts'
import { listMemberships } from './members.ts'
import type { User } from './users.ts'

export async function isOperator(db: Queries, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operators')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Ordered by email address. */
export async function listOperators(db: Queries): Promise<(User & { since: Date })[]> {
  return await db
    .selectFrom('operators')
    .innerJoin('users', 'users.id', 'operators.user_id')
    .select(['users.id', 'users.name', 'users.email', 'operators.created_at as since'])
    .orderBy('users.email')
    .execute()
}

/** Returns false when the person is an operator already. */
export async function makeOperator(tx: Tx, user: User, actor: string): Promise<boolean> {
  const inserted = await tx
    .insertInto('operators')
    .values({ user_id: user.id, made_by: actor })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (inserted !== undefined) await record(tx, user, actor, 'operator.made')
  return inserted !== undefined
}

/** Returns false when the person is not an operator. */
export async function dropOperator(tx: Tx, user: User, actor: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('operators')
    .where('user_id', '=', user.id)
    .returning('user_id')
    .executeTakeFirst()
  if (deleted !== undefined) await record(tx, user, actor, 'operator.dropped')
  return deleted !== undefined
}

async function record(tx: Tx, { id, email }: User, actor: string, action: AuditAction): Promise<void> {
  for (const { organizationId } of await listMemberships(tx, id))
    await recordAudit(tx, { organizationId, actor, action, subject: id, details: { email } })
}
