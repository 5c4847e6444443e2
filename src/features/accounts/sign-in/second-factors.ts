/** Users' second factors. The last one cannot be removed while a rule requires it. */
import { sql } from 'kysely'
import { AppError } from '../../../base/errors/errors.ts'
import type { Database, Queries, Tx } from '../../../database/database.ts'
import { listSessionMemberships } from '../people/session-memberships.ts'
import { hasPasskey } from '../people/users.ts'
import { readServerRule, SECOND_FACTOR_SETTING } from './second-factor-rule.ts'
import { clearSecondFactor } from './session-proofs.ts'

/**
 * Prevents a person who has a second factor, but has proved only the password, from adding another factor. Throws
 * AppError `second_factor_required`.
 */
export async function requireProvedSecondFactor(
  db: Queries,
  { id: userId, sessionId, twoFactorEnabled }: { id: string; sessionId: string; twoFactorEnabled: boolean },
): Promise<void> {
  const memberships = await listSessionMemberships(db, { userId, sessionId })
  if (memberships.every(({ secondFactorDueAt }) => secondFactorDueAt === null)) return
  if (twoFactorEnabled || (await hasPasskey(db, userId)))
    throw new AppError('second_factor_required', {
      params: { reason: 'confirm_first' },
    })
}

/** Throws AppError `not_found`, `second_factor_required` for the last factor where one is required. */
export async function removePasskey(
  database: Database,
  { userId, passkeyId, asking }: { userId: string; passkeyId: string; asking: readonly string[] },
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPerson(tx, userId)
    const deleted = await tx
      .deleteFrom('passkeys')
      .where('user_id', '=', userId)
      .where('id', '=', passkeyId)
      .returning('id')
      .executeTakeFirst()
    if (deleted === undefined) throw new AppError('not_found')
    await requireRemainingFactor(tx, userId, asking)
  })
}

/** Throws AppError `second_factor_required` where a factor is required and there is no passkey. */
export async function removeCodeFactor(
  database: Database,
  { userId, asking }: { userId: string; asking: readonly string[] },
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockPerson(tx, userId)
    await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
    await tx.updateTable('users').set({ two_factor_enabled: false }).where('id', '=', userId).execute()
    await requireRemainingFactor(tx, userId, asking)
  })
}

/** Serializes removals: two factors of one user are never removed at the same time. */
async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

/** `asking` contains the single sign-on providers that require a second factor themselves. */
async function requireRemainingFactor(tx: Tx, userId: string, asking: readonly string[]): Promise<void> {
  const { rows } = await sql<{ has: boolean; linked: boolean; server: string | null }>`
    SELECT
      users.two_factor_enabled OR EXISTS (SELECT FROM passkeys WHERE user_id = users.id) AS has,
      EXISTS (SELECT FROM credentials WHERE user_id = users.id AND provider_id = ANY(${asking})) AS linked,
      (SELECT value FROM instance_settings WHERE name = ${SECOND_FACTOR_SETTING}) AS server
    FROM users WHERE users.id = ${userId}`.execute(tx)
  const person = rows[0]
  if (person === undefined || person.has) return
  const requirements = await tx
    .selectFrom('members as member')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .select('organization.second_factor_by_provider as providerCounts')
    .where('member.user_id', '=', userId)
    .where('organization.second_factor_since', 'is not', null)
    .execute()
  const rules = [...requirements, readServerRule(person.server)].filter((rule) => rule !== null)
  if (rules.every(({ providerCounts }) => providerCounts && person.linked))
    return clearSecondFactor(tx, userId)
  throw new AppError('second_factor_required', {
    params: { reason: 'last_factor' },
  })
}
