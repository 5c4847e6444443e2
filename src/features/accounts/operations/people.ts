/** Dashboard operations on the people of an organization: session, members, invitations, one-time links. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { PLANS } from '../../../base/api/plans.ts'
import { ROLES } from '../../../base/api/roles.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const UserId = Type.String({ pattern: '^usr_[0-9a-z]+$', examples: ['usr_01jd4q8r6v0000000000000000'] })
const InvitationId = Type.String({ pattern: '^inv_[0-9a-z]+$' })
const OrganizationId = Type.String({ pattern: '^org_[0-9a-z]+$' })
const RoleName = Type.Enum([...ROLES], { description: 'Each may do all that those before it may.' })
const PersonName = Line(NAME_CHARACTERS.person, { description: 'As others see it.' })
export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })
const Password = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'At least 12 characters, and none that is easy to guess.',
})
const Token = Type.String({ minLength: 1, maxLength: 200, description: 'From the link, behind `#token=`.' })

export const Session = Type.Object(
  {
    user: Nullable(
      Type.Object(
        {
          id: UserId,
          name: Type.String(),
          email: Type.String(),
          twoFactorEnabled: Type.Boolean(),
          hasPasskey: Type.Boolean(),
          hasPassword: Type.Boolean({ description: 'False for who only ever came by single sign-on.' }),
          hasSingleSignOn: Type.Boolean({
            description: 'Whether an identity of a provider is connected to the account.',
          }),
          isOperator: Type.Boolean({ description: 'Whether they run this server.' }),
        },
        closed('SignedInUser'),
      ),
    ),
    organizations: Type.Array(
      Type.Object(
        {
          id: OrganizationId,
          name: Type.String(),
          plan: Type.Enum([...PLANS]),
          role: RoleName,
          secondFactorDueAt: Nullable(
            Type.String({
              format: 'date-time',
              description:
                'From then on the session is refused here for want of a second factor; null: none is missing.',
            }),
          ),
        },
        closed('Membership'),
      ),
      { description: 'Those of the user, the oldest first.' },
    ),
    isSetUp: Type.Boolean({ description: 'Whether there is an owner.' }),
    signIn: Type.Object(
      {
        password: Type.Boolean(),
        passkey: Type.Boolean(),
        sso: Nullable(
          Type.Object(
            {
              name: Type.String({ description: 'What the button says.' }),
              byEmail: Type.Optional(
                Type.Literal(true, {
                  description: 'Organizations have providers of their own: the e-mail address says which.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false, description: 'The ways to sign in here.' },
    ),
    sendsMail: Type.Boolean({ description: 'Whether this server sends mail.' }),
    version: Type.String({ description: 'Of the program.' }),
    publicUrl: Type.String(),
  },
  closed('Session'),
)
export type Session = Static<typeof Session>

export const SetUpBody = Type.Object(
  { token: Token, name: PersonName, email: Email, password: Password },
  closed('SetUp'),
)

/** The account can now sign in with the e-mail address and the password that were sent. */
export const Account = Type.Object(
  { userId: UserId, email: Type.String(), organizationId: OrganizationId },
  closed('Account'),
)
export type Account = Static<typeof Account>

export const TokenBody = Type.Object({ token: Token }, closed('Token'))

export const OpenInvitation = Type.Object(
  {
    email: Type.String(),
    role: RoleName,
    organizationName: Type.String(),
    invitedBy: Nullable(Type.String({ description: 'Name of who invited.' })),
    expiresAt: DateTime,
    hasAccount: Type.Boolean({ description: 'Whether this e-mail address has an account to sign in with.' }),
  },
  closed('OpenInvitation'),
)
export type OpenInvitation = Static<typeof OpenInvitation>

export const AcceptInvitationBody = Type.Object(
  {
    token: Token,
    name: Type.Optional(PersonName),
    password: Type.Optional(Password),
  },
  closed('AcceptInvitation'),
)

export const ResetPasswordBody = Type.Object({ token: Token, password: Password }, closed('ResetPassword'))

export const ResetPassword = Type.Object({ email: Type.String() }, closed('PasswordWasReset'))

const SessionId = Type.String({ pattern: '^ses_[0-9a-z]+$' })

export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          sessionId: SessionId,
          isThis: Type.Boolean({ description: 'Whether the request came with it.' }),
          address: Nullable(Type.String({ description: 'Where it began.' })),
          userAgent: Nullable(Type.String({ description: 'What began it.' })),
          createdAt: DateTime,
          lastSeenAt: Type.String({ format: 'date-time', description: 'Right to a day.' }),
          expiresAt: DateTime,
        },
        closed('OwnSession'),
      ),
      { description: 'Newest first.' },
    ),
  },
  closed('SessionList'),
)
export type SessionList = Static<typeof SessionList>

export const SessionParams = Type.Object({ sessionId: SessionId })

export const EndedSessions = Type.Object({ ended: Type.Integer({ minimum: 0 }) }, closed('EndedSessions'))

export const Member = Type.Object(
  {
    userId: UserId,
    name: Type.String(),
    email: Type.String(),
    role: RoleName,
    twoFactorEnabled: Type.Boolean({ description: 'Whether they have codes by time.' }),
    hasPasskey: Type.Boolean(),
    joinedAt: DateTime,
    lastSeenAt: Nullable(Type.String({ format: 'date-time', description: 'Right to a day or so.' })),
  },
  closed('Member'),
)
export type Member = Static<typeof Member>

export const MemberList = Type.Object({ members: Type.Array(Member) }, closed('MemberList'))
export type MemberList = Static<typeof MemberList>

export const MemberParams = Type.Object({ userId: UserId })

export const UpdateMemberBody = Type.Object({ role: RoleName }, closed('UpdateMember'))

const MemberKeys = Type.Enum(['revoke', 'hand_over'], {
  description:
    'What becomes of the keys that the member made: `revoke` ends them at once, `hand_over` makes them those of who removes the member, and they may no more than before.',
})
export type MemberKeys = Static<typeof MemberKeys>

export const RemoveMemberQuery = Type.Object(
  { keys: Type.Optional(MemberKeys) },
  { additionalProperties: false },
)

export const RemovedMember = Type.Object(
  {
    userId: UserId,
    keys: MemberKeys,
    keyCount: Type.Integer({ minimum: 0, description: 'How many keys there were.' }),
  },
  closed('RemovedMember'),
)
export type RemovedMember = Static<typeof RemovedMember>

const INVITATION = {
  invitationId: InvitationId,
  email: Type.String(),
  role: RoleName,
  invitedBy: Nullable(Type.String({ description: 'Name of who invited; null from the command line.' })),
  createdAt: DateTime,
  expiresAt: DateTime,
}

export const Invitation = Type.Object(INVITATION, closed('Invitation'))
export type Invitation = Static<typeof Invitation>

export const CreatedInvitation = Type.Object(
  {
    ...INVITATION,
    link: Type.String({ format: 'uri', description: 'For the person, this once: only its hash is kept.' }),
    isMailed: Type.Boolean({ description: 'Whether the link goes to the address by mail too.' }),
  },
  closed('CreatedInvitation'),
)
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const InvitationList = Type.Object(
  { invitations: Type.Array(Invitation, { description: 'Open ones, newest first.' }) },
  closed('InvitationList'),
)
export type InvitationList = Static<typeof InvitationList>

export const InvitationParams = Type.Object({ invitationId: InvitationId })

export const CreateInvitationBody = Type.Object({ email: Email, role: RoleName }, closed('CreateInvitation'))

export const RevokedInvitation = Type.Object({ invitationId: InvitationId }, closed('RevokedInvitation'))

const MEMBERS = '/internal/members'
const INVITATIONS = '/internal/invitations'

/** Limits guessing of link tokens. */
export const LINKS = { name: 'links', counts: 'request' } as const

export const PEOPLE_OPERATIONS = {
  getSession: {
    ...ROW,
    method: 'GET',
    path: '/internal/session',
    permission: null,
    summary: 'Who is signed in, to which organizations, and how one signs in here',
    limit: null,
    success: { status: 200, schema: Session },
  },
  setUp: {
    ...ROW,
    method: 'POST',
    path: '/internal/setup',
    permission: null,
    summary: 'Make the first owner, with the one-time link that the server printed at its start',
    audit: 'member.joined',
    limit: LINKS,
    body: SetUpBody,
    success: { status: 201, schema: Account },
  },
  getInvitation: {
    ...ROW,
    method: 'POST',
    path: '/internal/invitation/look-up',
    permission: null,
    summary: 'What an invitation offers; the token stays out of addresses, which are logged',
    audit: { none: 'it looks and changes nothing: it is a POST so that the token stays out of addresses' },
    needsRoom: false,
    limit: LINKS,
    body: TokenBody,
    success: { status: 200, schema: OpenInvitation },
  },
  acceptInvitation: {
    ...ROW,
    method: 'POST',
    path: '/internal/invitation/accept',
    permission: null,
    summary: 'Join: with the account that is signed in, or with a new one of this name and password',
    audit: 'member.joined',
    limit: LINKS,
    body: AcceptInvitationBody,
    success: { status: 201, schema: Account },
  },
  resetPassword: {
    ...ROW,
    method: 'POST',
    path: '/internal/password-reset',
    permission: null,
    summary: 'Set a new password with a one-time link; ends every session of the account',
    audit: 'member.password_reset',
    limit: LINKS,
    body: ResetPasswordBody,
    success: { status: 200, schema: ResetPassword },
  },
  listSessions: {
    ...ROW,
    method: 'GET',
    path: '/internal/sessions',
    permission: null,
    summary: 'List the sessions of who is signed in',
    limit: null,
    success: { status: 200, schema: SessionList },
  },
  endOtherSessions: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/sessions',
    permission: null,
    summary: 'Sign out everywhere else, at once',
    audit: 'session.ended',
    limit: null,
    success: { status: 200, schema: EndedSessions },
  },
  endSession: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/sessions/{sessionId}',
    permission: null,
    summary: 'End one session of who is signed in, at once',
    audit: 'session.ended',
    limit: null,
    params: SessionParams,
    success: { status: 200, schema: EndedSessions },
  },
  listMembers: {
    ...ROW,
    method: 'GET',
    path: MEMBERS,
    permission: 'read',
    summary: 'List the members of the organization, the oldest first',
    success: { status: 200, schema: MemberList },
  },
  updateMember: {
    ...ROW,
    method: 'PATCH',
    path: `${MEMBERS}/{userId}`,
    permission: 'members',
    summary: 'Give a member another role; owners are made and unmade by owners',
    needsFresh: true,
    audit: 'member.role_changed',
    params: MemberParams,
    body: UpdateMemberBody,
    success: { status: 200, schema: Member },
  },
  removeMember: {
    ...ROW,
    method: 'DELETE',
    path: `${MEMBERS}/{userId}`,
    permission: 'read',
    summary:
      'Remove a member with their keys, at once; without the right to that, leave oneself. The keys are revoked unless the query says otherwise',
    needsFresh: true,
    audit: 'member.removed',
    params: MemberParams,
    query: RemoveMemberQuery,
    success: { status: 200, schema: RemovedMember },
  },
  listInvitations: {
    ...ROW,
    method: 'GET',
    path: INVITATIONS,
    permission: 'members',
    summary: 'List the open invitations',
    success: { status: 200, schema: InvitationList },
  },
  createInvitation: {
    ...ROW,
    method: 'POST',
    path: INVITATIONS,
    permission: 'members',
    summary: 'Invite a person; the answer holds the link for them, once',
    audit: 'member.invited',
    body: CreateInvitationBody,
    success: { status: 201, schema: CreatedInvitation, isSecret: true },
  },
  revokeInvitation: {
    ...ROW,
    method: 'DELETE',
    path: `${INVITATIONS}/{invitationId}`,
    permission: 'members',
    summary: 'Take an invitation back',
    audit: 'invitation.revoked',
    params: InvitationParams,
    success: { status: 200, schema: RevokedInvitation },
  },
} as const satisfies Record<string, DashboardOperation>
