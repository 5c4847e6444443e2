/** Whom single sign-on lets in: members, the invited, and the people of e-mail domains that the operator names. */
import type { Database, Tx } from '../database/database.ts'
import { acceptInvitationsOf, isInvited } from './invitations.ts'
import { addMember } from './members.ts'
import { domainOf, takesMailDomain } from './organization-security.ts'
import type { SingleSignOn } from './sso-provider.ts'

export interface SingleSignOnRules {
  /** Null, or why this identity is refused, as a word for the sign-in page. */
  refuse(identity: { email: string; emailVerified: boolean; isNew: boolean }): Promise<string | null>
  /** Gives who came by single sign-on the memberships that wait for them. Again is no mistake. */
  admit(user: { id: string; name: string; email: string }): Promise<void>
}

export function createSingleSignOnRules(
  database: Database,
  singleSignOn: SingleSignOn | null,
): SingleSignOnRules {
  const isOfDomain = (email: string) => singleSignOn?.domains.includes(domainOf(email)) ?? false
  return {
    async refuse({ email, emailVerified, isNew }) {
      if (!emailVerified) return 'email_not_verified'
      if (!isNew || isOfDomain(email) || (await isInvited(database.queries, email))) return null
      return 'not_invited'
    },
    async admit(user) {
      await database.transaction(async (tx) => {
        await acceptInvitationsOf(tx, user)
        if (singleSignOn !== null && isOfDomain(user.email)) await joinByDomain(tx, singleSignOn, user)
      })
    },
  }
}

async function joinByDomain(
  tx: Tx,
  { organizationId: chosen, role }: SingleSignOn,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  if (await hasEverJoined(tx, userId)) return
  const organization = await tx
    .selectFrom('organizations')
    .select('id')
    .$if(chosen !== null, (query) => query.where('id', '=', chosen))
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (organization === undefined || !(await takesMailDomain(tx, organization.id, email))) return
  await addMember(tx, { organizationId: organization.id, userId, email, role, actor: userId })
}

/** Who was removed does not come back by the e-mail domain alone. */
async function hasEverJoined(tx: Tx, userId: string): Promise<boolean> {
  const joined = await tx
    .selectFrom('audit_rows')
    .select('id')
    .where('action', '=', 'member.joined')
    .where('actor', '=', userId)
    .where('subject', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return joined !== undefined
}
