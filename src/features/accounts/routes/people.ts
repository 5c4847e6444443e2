/** Routes for people: the signed-in person and their sessions, members of an organization, and how people join. */

import { AppError } from '../../../base/errors/errors.ts'
import type { Queries } from '../../../database/database.ts'
import type { Person, Visitor } from '../../../routing/caller.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { invite } from '../../notifications/mail/links.ts'
import { type MailSource, sendsMail } from '../../notifications/mail/mail-setup.ts'
import type { PEOPLE_OPERATIONS } from '../operations/people.ts'
import * as invitations from '../people/invitations.ts'
import * as members from '../people/members.ts'
import { isOperator } from '../people/operators.ts'
import { resetPassword, setUp } from '../people/setup.ts'
import { standingsOf } from '../people/standings.ts'
import { hasPasskey, hasPassword, hasProviderLink } from '../people/users.ts'
import * as sessions from '../sign-in/sessions.ts'
import type { SignIn } from '../sign-in/sign-in.ts'

export interface PeopleDeps {
  signIn: SignIn
  version: string
  publicUrl: () => string
  mailSource: MailSource
}

export function peopleHandlers(deps: PeopleDeps): Handlers<typeof PEOPLE_OPERATIONS> {
  return { ...ownHandlers(deps), ...memberHandlers(deps) }
}

type PeopleHandlers = Handlers<typeof PEOPLE_OPERATIONS>
type OwnOperation =
  | 'getSession'
  | 'setUp'
  | 'getInvitation'
  | 'acceptInvitation'
  | 'resetPassword'
  | 'listSessions'
  | 'endOtherSessions'
  | 'endSession'

/** Handlers for the caller's own account and sessions. */
function ownHandlers({
  signIn,
  version,
  publicUrl,
  mailSource,
}: PeopleDeps): Pick<PeopleHandlers, OwnOperation> {
  return {
    async getSession({ db, caller: { person } }) {
      const asked = person && { userId: person.id, sessionId: person.sessionId }
      const standings = asked === null ? [] : await standingsOf(db, asked)
      const organizations = standings.map((standing) => ({
        id: standing.organizationId,
        name: standing.organizationName,
        plan: standing.plan,
        role: standing.role,
        secondFactorDueAt: standing.secondFactorDueAt?.toISOString() ?? null,
      }))
      const user = person === null ? null : await describe(db, person)
      const isSetUp = organizations.length > 0 || (await members.hasOwner(db))
      const mailing = await sendsMail(mailSource, db)
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
      const wanted = { token, user: caller.person, name, password }
      const { user, organizationId } = await invitations.acceptInvitation(tx, wanted)
      return { body: { userId: user.id, email: user.email, organizationId } }
    },
    async resetPassword({ tx, body }) {
      const { email } = await resetPassword(tx, body)
      return { body: { email } }
    },
    listSessions: async ({ db, caller }) => ({ body: await sessions.listSessions(db, needPerson(caller)) }),
    endOtherSessions: async ({ tx, caller }) => ({
      body: { ended: await sessions.endOtherSessions(tx, needPerson(caller)) },
    }),
    async endSession({ tx, caller, params }) {
      if (!(await sessions.endSession(tx, needPerson(caller), params.sessionId)))
        throw new AppError('not_found')
      return { body: { ended: 1 } }
    },
  }
}

/** Handlers for the members of an organization. */
function memberHandlers(deps: PeopleDeps): Omit<PeopleHandlers, OwnOperation> {
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
      body: await invite(tx, deps, { ...body, changer }),
    }),
    async revokeInvitation({ tx, caller: changer, params }) {
      await invitations.revokeInvitation(tx, { ...params, changer })
      return { body: params }
    },
  }
}

async function describe(db: Queries, { id, name, email, twoFactorEnabled }: Person) {
  const [withPassword, withPasskey, hasSingleSignOn, operator] = await Promise.all([
    hasPassword(db, id),
    hasPasskey(db, id),
    hasProviderLink(db, id),
    isOperator(db, id),
  ])
  const ways = { twoFactorEnabled, hasPasskey: withPasskey, hasPassword: withPassword, hasSingleSignOn }
  return { id, name, email, ...ways, isOperator: operator }
}

function needPerson({ person }: Visitor): Person {
  if (person === null) throw new AppError('signed_out')
  return person
}
