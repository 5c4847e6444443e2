/** Admission through single sign-on: members, invited users, and addresses in email domains named by the operator. */
import { Check } from 'typebox/value'
import type { Database, Queries, Tx } from '../../../database/database.ts'
import { Email } from '../operations/people.ts'
import { acceptsMailDomain, emailDomain } from '../organizations/organization-security.ts'
import { acceptOpenInvitations, isInvited } from '../people/invitations.ts'
import { addMember } from '../people/members.ts'
import { isFresh } from '../people/session-memberships.ts'
import { hasProviderLink } from '../people/users.ts'
import { findProvedSession } from './session-proofs.ts'
import { type SingleSignOn, SSO_PROVIDER } from './sso-provider.ts'

export interface SingleSignOnRules {
  /** Returns null, or an error code for the sign-in page. */
  refuse(identity: ProviderIdentity): Promise<string | null>
  /** Accepts invitations and joins by email domain. Can be called repeatedly for the same user. */
  admit(user: { id: string; name: string; email: string }): Promise<void>
}

export interface ProviderIdentity {
  email: string
  /** The claim `email_verified` as received; undefined when it is missing. */
  emailVerified: unknown
  action: 'create-user' | 'link-account' | 'sign-in'
  userId: string | null
  /** Session of the request; read for `link-account` only. */
  sessionId: string | null
}

export function createSingleSignOnRules(
  database: Database,
  singleSignOn: SingleSignOn | null,
): SingleSignOnRules {
  const isOfDomain = (email: string) => singleSignOn?.domains.includes(emailDomain(email)) ?? false
  /** Null for the server's provider: it accepts invitations of every organization. */
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
          return linkRefusal(database.queries, {
            ...{ userId: userId ?? '', sessionId },
            provider: singleSignOn?.id ?? SSO_PROVIDER,
          })
        case 'create-user':
          return isOfDomain(email) || (await isInvited(database.queries, email)) ? null : 'not_invited'
      }
    },
    async admit(user) {
      await database.transaction(async (tx) => {
        await acceptOpenInvitations(tx, user, organizationId)
        if (singleSignOn !== null && isOfDomain(user.email)) await joinByDomain(tx, singleSignOn, user)
      })
    },
  }
}

/** Quoted local parts and a second `@` are rejected: they would make the domain ambiguous. */
function isAddress(email: string): boolean {
  return Check(Email, email) && /^[^@\s]+@[^@\s]+$/.test(email)
}

/**
 * Linking needs a recently authenticated session of the account, with the second factor if the account has one. An
 * account keeps the first identity of each provider.
 */
async function linkRefusal(
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
  if (organization === undefined || !(await acceptsMailDomain(tx, organization.id, email))) return
  await addMember(tx, { organizationId: organization.id, userId, email, role, actor: userId })
}

/**
 * Returns whether a user has ever joined, because removed members cannot rejoin by their email domain. Null
 * checks all organizations.
 */
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
