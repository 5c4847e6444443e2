/** Links that unsubscribe a user from an organization's notification mails without signing in. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../../../database/database.ts'

export interface Subscription {
  organizationId: string
  userId: string
}

export interface UnsubscribeTokens {
  /** Tokens do not expire, because users may open mails that are years old. */
  sign(subscription: Subscription): string
  /** Returns null if the token was not signed by this server. */
  read(token: string): Subscription | null
}

/** Tokens signed by `sign` are always shorter. */
const MAX_TOKEN_CHARACTERS = 200

export const UNSUBSCRIBE_PATH = '/unsubscribe/'

export function unsubscribeAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}${token}`
}

export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'octavo unsubscribe links', 32))
  const sign: UnsubscribeTokens['sign'] = ({ organizationId, userId }) => {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify([organizationId, userId]))
      .digest('base64url')
    return `${organizationId}.${userId}.${mac}`
  }
  return {
    sign,
    read(token) {
      if (token.length > MAX_TOKEN_CHARACTERS) return null
      const [organizationId = '', userId = ''] = token.split('.')
      const [given, right] = [Buffer.from(token), Buffer.from(sign({ organizationId, userId }))]
      return given.length === right.length && timingSafeEqual(given, right)
        ? { organizationId, userId }
        : null
    },
  }
}

/** Returns the organization's name and the mail address, or null if the user is no longer a member. */
export async function findSubscription(
  tx: Tx,
  { organizationId, userId }: Subscription,
): Promise<{ organizationName: string; email: string } | null> {
  const row = await tx
    .selectFrom('members as member')
    .innerJoin('users as person', 'person.id', 'member.user_id')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .select(['organization.name as organizationName', 'person.email'])
    .where('member.organization_id', '=', organizationId)
    .where('member.user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export async function turnOffMails(
  tx: Tx,
  { organizationId, userId }: Subscription,
  isOff: boolean,
): Promise<void> {
  await tx
    .insertInto('mail_people')
    .values({ organization_id: organizationId, user_id: userId, is_off: isOff })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ is_off: isOff }))
    .execute()
}
