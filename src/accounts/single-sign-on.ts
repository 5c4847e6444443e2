/** Whom single sign-on lets in: members, the invited, and the people of e-mail domains that the operator names. */
import { Check } from 'typebox/value'
import { Email } from '../contract/dashboard-people.ts'
import type { Database, Queries, Tx } from '../database/database.ts'
import { acceptInvitationsOf, isInvited } from './invitations.ts'
import { addMember } from './members.ts'
import { domainOf, takesMailDomain } from './organization-security.ts'
import { findProvedSession } from './session-proofs.ts'
import { type SingleSignOn, SSO_PROVIDER } from './sso-provider.ts'
import { isFresh } from './standings.ts'
import { hasProviderLink } from './users.ts'

export interface SingleSignOnRules {
  /** Null, or why this identity is refused, as a word for the sign-in page. */
  refuse(identity: ProviderIdentity): Promise<string | null>
  /** Gives who came by single sign-on the memberships that wait for them. Again is no mistake. */
  admit(user: { id: string; name: string; email: string }): Promise<void>
}

export interface ProviderIdentity {
  email: string
  /** The claim as the provider sent it; undefined when it is missing. */
  emailVerified: unknown
  action: 'create-user' | 'link-account' | 'sign-in'
  /** Of the account that it belongs to, or has the address of; null: there is none. */
  userId: string | null
  /** Of the request; looked at for a link alone. */
  sessionId: string | null
}

export function createSingleSignOnRules(
  database: Database,
  singleSignOn: SingleSignOn | null,
): SingleSignOnRules {
  const isOfDomain = (email: string) => singleSignOn?.domains.includes(domainOf(email)) ?? false
  /** Null: people come into whatever organization waits for them. */
  const organizationId = singleSignOn === null || singleSignOn.id === SSO_PROVIDER ? null : singleSignOn.id
  return {
    async refuse({ email, emailVerified, action, userId, sessionId }) {
      if (!isAddress(email)) return 'email_not_verified'
      const isVouched = singleSignOn?.vouchesForDomains === true && isOfDomain(email)
      if (emailVerified !== true && !(emailVerified === undefined && isVouched)) return 'email_not_verified'
      if (organizationId !== null && !isOfDomain(email)) return 'other_domain'
      switch (action) {
        case 'sign-in':
          return null
        case 'link-account':
          return whyNotLinked(database.queries, {
            ...{ userId: userId ?? '', sessionId },
            provider: singleSignOn?.id ?? SSO_PROVIDER,
          })
        case 'create-user':
          return isOfDomain(email) || (await isInvited(database.queries, email)) ? null : 'not_invited'
      }
    },
    async admit(user) {
      await database.transaction(async (tx) => {
        await acceptInvitationsOf(tx, user, organizationId)
        if (singleSignOn !== null && isOfDomain(user.email)) await joinByDomain(tx, singleSignOn, user)
      })
    },
  }
}

/** As of an invitation, without quotes: what stands behind the last `@` of anything else is no domain that was verified. */
function isAddress(email: string): boolean {
  return Check(Email, email) && /^[^@\s]+@[^@\s]+$/.test(email)
}

/**
 * An address alone links nothing: its account must be signed in, proved in the last minutes, with its codes where it has
 * them. The first identity of a provider stays the only one.
 */
async function whyNotLinked(
  db: Queries,
  { userId, sessionId, provider }: { userId: string; sessionId: string | null; provider: string },
): Promise<string | null> {
  const session = sessionId === null ? null : await findProvedSession(db, sessionId)
  if (session?.userId !== userId || !isFresh(session)) return 'account_not_linked'
  const { two_factor_enabled: hasCodes } = await db
    .selectFrom('users')
    .select('two_factor_enabled')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (hasCodes && !session.secondFactor) return 'account_not_linked'
  return (await hasProviderLink(db, userId, provider)) ? 'other_identity_linked' : null
}

async function joinByDomain(
  tx: Tx,
  { id, organizationId: chosen, role }: SingleSignOn,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  if (await hasEverJoined(tx, userId, id === SSO_PROVIDER ? null : chosen)) return
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

/** Who was removed does not come back by the e-mail domain alone. Null: from any organization. */
async function hasEverJoined(tx: Tx, userId: string, organizationId: string | null): Promise<boolean> {
  const joined = await tx
    .selectFrom('audit_rows')
    .select('id')
    .where('action', '=', 'member.joined')
    .where('actor', '=', userId)
    .where('subject', '=', userId)
    .$if(organizationId !== null, (query) => query.where('organization_id', '=', organizationId as string))
    .limit(1)
    .executeTakeFirst()
  return joined !== undefined
}
