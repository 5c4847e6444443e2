/** Routes for users: the signed-in user and their sessions, members of an organization, and how users join. */

import { AppError } from '../../../base/errors/errors.ts'
import type { Queries } from '../../../database/database.ts'
import type { Person, Visitor } from '../../../routing/caller.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { inviteByMail } from '../../notifications/mail/links.ts'
import { isMailEnabled, type MailSource } from '../../notifications/mail/mail-setup.ts'
import type { PEOPLE_OPERATIONS } from '../operations/people.ts'
import * as invitations from '../people/invitations.ts'
import * as members from '../people/members.ts'
import { isOperator } from '../people/operators.ts'
import { listSessionMemberships } from '../people/session-memberships.ts'
import { resetPassword, setUp } from '../people/setup.ts'
import { hasPasskey, hasPassword, hasProviderLink } from '../people/users.ts'
import * as sessions from '../sign-in/sessions.ts'
import type { SignIn } from '../sign-in/sign-in.ts'

interface PeopleDeps {
  signIn: SignIn
  version: string
  publicUrl: () => string
  mailSource: MailSource
}

export function peopleHandlers(deps: PeopleDeps): Handlers<typeof PEOPLE_OPERATIONS> {
  return { ...accountHandlers(deps), ...memberHandlers(deps) }
}

type PeopleHandlers = Handlers<typeof PEOPLE_OPERATIONS>
type AccountOperation =
  | 'getSession'
  | 'setUp'
  | 'getInvitation'
  | 'acceptInvitation'
  | 'resetPassword'
  | 'listSessions'
  | 'endOtherSessions'
  | 'endSession'

function accountHandlers({
  signIn,
  version,
  publicUrl,
  mailSource,
}: PeopleDeps): Pick<PeopleHandlers, AccountOperation> {
  return {
    async getSession({ db, caller: { person } }) {
      const lookup = person && { userId: person.id, sessionId: person.sessionId }
      const memberships = lookup === null ? [] : await listSessionMemberships(db, lookup)
      const organizations = memberships.map((membership) => ({
        id: membership.organizationId,
        name: membership.organizationName,
        plan: membership.plan,
        role: membership.role,
        secondFactorDueAt: membership.secondFactorDueAt?.toISOString() ?? null,
      }))
      const user = person === null ? null : await describePerson(db, person)
      const isSetUp = organizations.length > 0 || (await members.hasOwner(db))
      const mailing = await isMailEnabled(mailSource, db)
      const ways = await signIn.ways()
      const server = { signIn: ways, sendsMail: mailing, version, publicUrl: publicUrl() }
      return { body: { user, organizations, isSetUp, ...server } }
    },
    async setUp({ tx, body }) {
      const { user, organizationId } = await setUp(tx, body)
      return { body: { userId: user.id, email: user.email, organizationId } }
    },
    getInvitation: async ({ tx, body }) => ({ body: await invitations.findInvitation(tx, body.token) }),
    async acceptInvitation({ tx, caller, body: { token, name, password } }) {
      if (caller.person === null && !(await signIn.ways()).password)
        throw new AppError('password_sign_in_off')
      const input = { token, user: caller.person, name, password }
      const { user, organizationId } = await invitations.acceptInvitation(tx, input)
      return { body: { userId: user.id, email: user.email, organizationId } }
    },
    async resetPassword({ tx, body }) {
      const { email } = await resetPassword(tx, body)
      return { body: { email } }
    },
    listSessions: async ({ db, caller }) => ({
      body: await sessions.listSessions(db, requirePerson(caller)),
    }),
    endOtherSessions: async ({ tx, caller }) => ({
      body: { ended: await sessions.endOtherSessions(tx, requirePerson(caller)) },
    }),
    async endSession({ tx, caller, params }) {
      if (!(await sessions.endSession(tx, requirePerson(caller), params.sessionId)))
        throw new AppError('not_found')
      return { body: { ended: 1 } }
    },
  }
}

function memberHandlers(deps: PeopleDeps): Omit<PeopleHandlers, AccountOperation> {
  return {
    listMembers: async ({ db, caller }) => ({
      body: { members: await members.listMembers(db, caller.organizationId) },
    }),
    updateMember: async ({ tx, caller: changer, params, body }) => ({
      body: await members.changeRole(tx, { ...params, ...body, changer }),
    }),
    async removeMember({ tx, caller: changer, params, query: { keys = 'revoke' } }) {
      const keyCount = await members.removeMember(tx, { ...params, changer, keys })
      return { body: { ...params, keys, keyCount } }
    },
    listInvitations: async ({ db, caller }) => ({
      body: { invitations: await invitations.listInvitations(db, caller.organizationId) },
    }),
    createInvitation: async ({ tx, caller: changer, body }) => ({
      body: await inviteByMail(tx, deps, { ...body, changer }),
    }),
    async revokeInvitation({ tx, caller: changer, params }) {
      await invitations.revokeInvitation(tx, { ...params, changer })
      return { body: params }
    },
  }
}

async function describePerson(db: Queries, { id, name, email, twoFactorEnabled }: Person) {
  const [withPassword, withPasskey, hasSingleSignOn, operator] = await Promise.all([
    hasPassword(db, id),
    hasPasskey(db, id),
    hasProviderLink(db, id),
    isOperator(db, id),
  ])
  const ways = { twoFactorEnabled, hasPasskey: withPasskey, hasPassword: withPassword, hasSingleSignOn }
  return { id, name, email, ...ways, isOperator: operator }
}

function requirePerson({ person }: Visitor): Person {
  if (person === null) throw new AppError('signed_out')
  return person
}
