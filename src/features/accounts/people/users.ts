/** Rows of user accounts: creates them with a password, finds them by email address, replaces passwords. */
import { sql } from 'kysely'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { createId } from '../../../base/ids.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { hashPassword, passwordFaults } from '../sign-in/password.ts'
import { clearSecondFactor } from '../sign-in/session-proofs.ts'

export interface User {
  id: string
  name: string
  /** Lower case. */
  email: string
}

const PASSWORD_PROVIDER = 'credential'

/** Throws AppError `invalid_request` for a weak password. */
export function checkPassword(password: string, { name, email }: { name: string; email: string }): void {
  assertNoFaults(passwordFaults(password, [name, email]).map((fault) => ({ ...fault, field: '/password' })))
}

/** The password must have been validated. Throws AppError `account_exists` for an address that has an account. */
export async function createUser(
  tx: Tx,
  input: { name: string; email: string; password: string },
): Promise<User> {
  const user = { id: createId('usr'), name: input.name.trim(), email: normalizeEmail(input.email) }
  const inserted = await tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) throw new AppError('account_exists')
  await storePassword(tx, user.id, await hashPassword(input.password))
  return user
}

export async function findUserByEmail(db: Queries, email: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('email', '=', normalizeEmail(email))
    .executeTakeFirst()
  return row ?? null
}

export async function findUser(db: Queries, id: string): Promise<User | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Sets the password and ends every session. */
export async function replacePassword(tx: Tx, input: { userId: string; password: string }): Promise<void> {
  await storePassword(tx, input.userId, await hashPassword(input.password))
  await tx.deleteFrom('sessions').where('user_id', '=', input.userId).execute()
}

/**
 * Marks the address as verified by a link sent to it. Until then, anyone with an invitation for the address may have
 * created the account, so passkeys and providers added before stop working. TOTP codes stay, because they grant no
 * access on their own.
 */
export async function confirmAddress(tx: Tx, userId: string): Promise<void> {
  const proved = await tx
    .updateTable('users')
    .set({ email_verified: true })
    .where('id', '=', userId)
    .where('email_verified', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (proved === undefined) return
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await tx
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '<>', PASSWORD_PROVIDER)
    .execute()
  await clearSecondFactor(tx, userId)
}

export async function removeSecondFactor(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  await tx.updateTable('users').set({ two_factor_enabled: false }).where('id', '=', userId).execute()
  await clearSecondFactor(tx, userId)
}

/** Returns false for a user who has only ever used single sign-on. */
export async function hasPassword(db: Queries, userId: string): Promise<boolean> {
  const credential = await db
    .selectFrom('credentials')
    .select('id')
    .where('provider_id', '=', PASSWORD_PROVIDER)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return credential !== undefined
}

/** Returns whether the person has signed in through a provider, or has a passkey. */
export async function hasOtherSignInMethod(db: Queries, userId: string): Promise<boolean> {
  return (await hasProviderLink(db, userId)) || (await hasPasskey(db, userId))
}

export async function hasProviderLink(db: Queries, userId: string, provider?: string): Promise<boolean> {
  const link = await db
    .selectFrom('credentials')
    .select('id')
    .where('provider_id', provider === undefined ? '<>' : '=', provider ?? PASSWORD_PROVIDER)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return link !== undefined
}

export async function hasPasskey(db: Queries, userId: string): Promise<boolean> {
  const passkey = await db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return passkey !== undefined
}

export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

async function storePassword(tx: Tx, userId: string, password: string): Promise<void> {
  await tx
    .insertInto('credentials')
    .values({
      id: createId('crd'),
      user_id: userId,
      provider_id: PASSWORD_PROVIDER,
      account_id: userId,
      password,
    })
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at: sql<Date>`now()` }),
    )
    .execute()
}
