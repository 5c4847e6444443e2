/** Links that work once. The token is in the fragment (`#`), which no server logs; only its hash is stored. */
import { hash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

export const LINK_HOURS = 24

export type LinkPurpose = 'setup' | 'password'

/** Returns 43 characters that cannot be guessed. */
export function createLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the stored form: 32 bytes. */
export function hashLinkToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Returns the token of a new link; earlier links for the same purpose and person stop working. */
export async function createOneTimeLink(
  tx: Tx,
  { purpose, userId }: { purpose: LinkPurpose; userId: string | null },
): Promise<string> {
  const token = createLinkToken()
  await tx
    .deleteFrom('one_time_links')
    .where('purpose', '=', purpose)
    .where(sql<boolean>`user_id IS NOT DISTINCT FROM ${userId}`)
    .execute()
  await tx
    .insertInto('one_time_links')
    .values({
      hash: hashLinkToken(token),
      purpose,
      user_id: userId,
      expires_at: sql<Date>`now() + make_interval(hours => ${LINK_HOURS})`,
    })
    .execute()
  return token
}

/** Consumes the link when the transaction commits. Returns null when it is unknown, used or expired. */
export async function consumeOneTimeLink(
  tx: Tx,
  { purpose, token }: { purpose: LinkPurpose; token: string },
): Promise<{ userId: string | null } | null> {
  const consumed = await tx
    .deleteFrom('one_time_links')
    .where('hash', '=', hashLinkToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  return consumed === undefined ? null : { userId: consumed.user_id }
}

export async function deleteExpiredSignIns(db: Queries): Promise<void> {
  await db.deleteFrom('one_time_links').where('expires_at', '<=', sql<Date>`now()`).execute()
  await db.deleteFrom('sessions').where('expires_at', '<=', sql<Date>`now()`).execute()
  await db.deleteFrom('verifications').where('expires_at', '<=', sql<Date>`now()`).execute()
}
