/** Whom single sign-on lets in: members, the invited, and the people of one e-mail domain when the operator says so. */
import type { Role } from '../contract/roles.ts'
import type { Database, Tx } from '../database/database.ts'
import { acceptInvitationsOf, isInvited } from './invitations.ts'
import { addMember } from './members.ts'

export interface SingleSignOn {
  /** Without a slash at the end. */
  issuer: string
  clientId: string
  clientSecret: string
  /** What the button says. */
  name: string
  /** Whose people may join without an invitation; lower case. */
  emailDomain: string | null
  /** Of those. */
  role: Role
}

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
  const isOfDomain = (email: string) =>
    singleSignOn?.emailDomain != null && email.toLowerCase().endsWith(`@${singleSignOn.emailDomain}`)
  return {
    async refuse({ email, emailVerified, isNew }) {
      if (!emailVerified) return 'email_not_verified'
      if (!isNew || isOfDomain(email) || (await isInvited(database.queries, email))) return null
      return 'not_invited'
    },
    async admit(user) {
      await database.transaction(async (tx) => {
        await acceptInvitationsOf(tx, user)
        if (!isOfDomain(user.email) || singleSignOn === null) return
        if (await hasEverJoined(tx, user.id)) return
        const oldest = await tx
          .selectFrom('organizations')
          .select('id')
          .orderBy('created_at')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
        if (oldest === undefined) return
        const { role } = singleSignOn
        const joining = {
          organizationId: oldest.id,
          userId: user.id,
          email: user.email,
          role,
          actor: user.id,
        }
        await addMember(tx, joining)
      })
    },
  }
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
