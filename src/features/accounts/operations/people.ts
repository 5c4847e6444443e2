/** Dashboard operations on the members of an organization: session, members, invitations, one-time links. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { PLANS } from '../../../base/api/plans.ts'
import { ROLES } from '../../../base/api/roles.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const UserId = Type.String({ pattern: '^usr_[0-9a-z]+$', examples: ['usr_01jd4q8r6v0000000000000000'] })
const InvitationId = Type.String({ pattern: '^inv_[0-9a-z]+$' })
const OrganizationId = Type.String({ pattern: '^org_[0-9a-z]+$' })
const RoleName = Type.Enum([...ROLES], {
  description: 'Each role includes the permissions of those before it.',
})
const PersonName = Line(NAME_CHARACTER_LIMITS.person, { description: 'Display name.' })
export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })
const Password = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'At least 12 characters and hard to guess.',
})
const Token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The token from the link, after `#token=`.',
})

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
          hasPassword: Type.Boolean({ description: 'False if the person has only used single sign-on.' }),
          hasSingleSignOn: Type.Boolean({
            description: 'Whether the account is connected to an identity from a single sign-on provider.',
          }),
          isOperator: Type.Boolean({ description: 'Whether the person operates this server.' }),
        },
        closedObject('SignedInUser'),
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
                'Time from which access to this organization requires a second factor that the person has not set up; null: no second factor is missing.',
            }),
          ),
        },
        closedObject('Membership'),
      ),
      { description: 'Organizations of the user, oldest first.' },
    ),
    isSetUp: Type.Boolean({ description: 'Whether an owner account exists.' }),
    signIn: Type.Object(
      {
        password: Type.Boolean(),
        passkey: Type.Boolean(),
        sso: Nullable(
          Type.Object(
            {
              name: Type.String({ description: 'Label of the button.' }),
              byEmail: Type.Optional(
                Type.Literal(true, {
                  description: 'Whether organizations have their own providers, chosen by email address.',
                }),
              ),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false, description: 'Available sign-in methods.' },
    ),
    sendsMail: Type.Boolean({ description: 'Whether this server sends mail.' }),
    version: Type.String({ description: 'Version of Octavo.' }),
    publicUrl: Type.String(),
  },
  closedObject('Session'),
)
export type Session = Static<typeof Session>

export const SetUpBody = Type.Object(
  { token: Token, name: PersonName, email: Email, password: Password },
  closedObject('SetUp'),
)

export const Account = Type.Object(
  { userId: UserId, email: Type.String(), organizationId: OrganizationId },
  closedObject('Account'),
)
export type Account = Static<typeof Account>

export const TokenBody = Type.Object({ token: Token }, closedObject('Token'))

export const OpenInvitation = Type.Object(
  {
    email: Type.String(),
    role: RoleName,
    organizationName: Type.String(),
    invitedBy: Nullable(Type.String({ description: 'Name of the person who sent the invitation.' })),
    expiresAt: DateTime,
    hasAccount: Type.Boolean({ description: 'Whether an account exists for this email address.' }),
  },
  closedObject('OpenInvitation'),
)
export type OpenInvitation = Static<typeof OpenInvitation>

export const AcceptInvitationBody = Type.Object(
  {
    token: Token,
    name: Type.Optional(PersonName),
    password: Type.Optional(Password),
  },
  closedObject('AcceptInvitation'),
)

export const ResetPasswordBody = Type.Object(
  { token: Token, password: Password },
  closedObject('ResetPassword'),
)

export const ResetPassword = Type.Object({ email: Type.String() }, closedObject('PasswordWasReset'))

const SessionId = Type.String({ pattern: '^ses_[0-9a-z]+$' })

export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          sessionId: SessionId,
          isThis: Type.Boolean({ description: 'Whether this session sent the request.' }),
          address: Nullable(Type.String({ description: 'IP address of the sign-in.' })),
          userAgent: Nullable(Type.String({ description: 'User agent at sign-in.' })),
          createdAt: DateTime,
          lastSeenAt: Type.String({ format: 'date-time', description: 'Accurate to the day.' }),
          expiresAt: DateTime,
        },
        closedObject('OwnSession'),
      ),
      { description: 'Newest first.' },
    ),
  },
  closedObject('SessionList'),
)
export type SessionList = Static<typeof SessionList>

export const SessionParams = Type.Object({ sessionId: SessionId })

export const EndedSessions = Type.Object(
  { ended: Type.Integer({ minimum: 0 }) },
  closedObject('EndedSessions'),
)

export const Member = Type.Object(
  {
    userId: UserId,
    name: Type.String(),
    email: Type.String(),
    role: RoleName,
    twoFactorEnabled: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
    hasPasskey: Type.Boolean(),
    joinedAt: DateTime,
    lastSeenAt: Nullable(Type.String({ format: 'date-time', description: 'Accurate to about a day.' })),
  },
  closedObject('Member'),
)
export type Member = Static<typeof Member>

export const MemberList = Type.Object({ members: Type.Array(Member) }, closedObject('MemberList'))
export type MemberList = Static<typeof MemberList>

export const MemberParams = Type.Object({ userId: UserId })

export const UpdateMemberBody = Type.Object({ role: RoleName }, closedObject('UpdateMember'))

const MemberKeys = Type.Enum(['revoke', 'hand_over'], {
  description:
    "What happens to the member's API keys: `revoke` revokes them immediately; `hand_over` assigns them, with unchanged permissions, to the person who removes the member.",
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
    keyCount: Type.Integer({ minimum: 0, description: 'Number of keys affected.' }),
  },
  closedObject('RemovedMember'),
)
export type RemovedMember = Static<typeof RemovedMember>

const INVITATION = {
  invitationId: InvitationId,
  email: Type.String(),
  role: RoleName,
  invitedBy: Nullable(
    Type.String({
      description: 'Name of the person who sent the invitation; null: created on the command line.',
    }),
  ),
  createdAt: DateTime,
  expiresAt: DateTime,
}

export const Invitation = Type.Object(INVITATION, closedObject('Invitation'))
export type Invitation = Static<typeof Invitation>

export const CreatedInvitation = Type.Object(
  {
    ...INVITATION,
    link: Type.String({
      format: 'uri',
      description: 'Link for the invited person. Shown only once, since only its hash is stored.',
    }),
    isMailed: Type.Boolean({ description: 'Whether the link is also sent by email.' }),
  },
  closedObject('CreatedInvitation'),
)
export type CreatedInvitation = Static<typeof CreatedInvitation>

export const InvitationList = Type.Object(
  { invitations: Type.Array(Invitation, { description: 'Open invitations, newest first.' }) },
  closedObject('InvitationList'),
)
export type InvitationList = Static<typeof InvitationList>

export const InvitationParams = Type.Object({ invitationId: InvitationId })

export const CreateInvitationBody = Type.Object(
  { email: Email, role: RoleName },
  closedObject('CreateInvitation'),
)

export const RevokedInvitation = Type.Object(
  { invitationId: InvitationId },
  closedObject('RevokedInvitation'),
)

const MEMBERS_PATH = '/internal/members'
const INVITATIONS_PATH = '/internal/invitations'

/** Limits guessing of link tokens. */
export const LINKS = { name: 'links', counts: 'request' } as const

export const PEOPLE_OPERATIONS = {
  getSession: {
    ...ROW,
    method: 'GET',
    path: '/internal/session',
    permission: null,
    summary: 'Get the signed-in user, their organizations, and the sign-in methods',
    limit: null,
    success: { status: 200, schema: Session },
  },
  setUp: {
    ...ROW,
    method: 'POST',
    path: '/internal/setup',
    permission: null,
    summary: 'Create the first owner with the one-time link that the server printed at startup',
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
    summary: 'Get an invitation; the token is in the body, because URLs are logged',
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
    summary: 'Accept an invitation with the signed-in account or with a new one',
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
    summary: 'Set a new password with a one-time link, which ends all sessions of the account',
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
    summary: 'List the sessions of the signed-in user',
    limit: null,
    success: { status: 200, schema: SessionList },
  },
  endOtherSessions: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/sessions',
    permission: null,
    summary: 'Sign out of all other sessions',
    audit: 'session.ended',
    limit: null,
    success: { status: 200, schema: EndedSessions },
  },
  endSession: {
    ...ROW,
    method: 'DELETE',
    path: '/internal/sessions/{sessionId}',
    permission: null,
    summary: 'End one session of the signed-in user',
    audit: 'session.ended',
    limit: null,
    params: SessionParams,
    success: { status: 200, schema: EndedSessions },
  },
  listMembers: {
    ...ROW,
    method: 'GET',
    path: MEMBERS_PATH,
    permission: 'read',
    summary: 'List the members of the organization, oldest first',
    success: { status: 200, schema: MemberList },
  },
  updateMember: {
    ...ROW,
    method: 'PATCH',
    path: `${MEMBERS_PATH}/{userId}`,
    permission: 'members',
    summary: "Update a member's role; only owners can add or remove owners",
    needsFresh: true,
    audit: 'member.role_changed',
    params: MemberParams,
    body: UpdateMemberBody,
    success: { status: 200, schema: Member },
  },
  removeMember: {
    ...ROW,
    method: 'DELETE',
    path: `${MEMBERS_PATH}/{userId}`,
    permission: 'read',
    summary:
      'Remove a member immediately, or leave the organization. The API keys of the member are revoked unless `keys` is `hand_over`',
    needsFresh: true,
    audit: 'member.removed',
    params: MemberParams,
    query: RemoveMemberQuery,
    success: { status: 200, schema: RemovedMember },
  },
  listInvitations: {
    ...ROW,
    method: 'GET',
    path: INVITATIONS_PATH,
    permission: 'members',
    summary: 'List open invitations',
    success: { status: 200, schema: InvitationList },
  },
  createInvitation: {
    ...ROW,
    method: 'POST',
    path: INVITATIONS_PATH,
    permission: 'members',
    summary: 'Invite a person; the invitation link is returned only once',
    audit: 'member.invited',
    body: CreateInvitationBody,
    success: { status: 201, schema: CreatedInvitation, isSecret: true },
  },
  revokeInvitation: {
    ...ROW,
    method: 'DELETE',
    path: `${INVITATIONS_PATH}/{invitationId}`,
    permission: 'members',
    summary: 'Revoke an invitation',
    audit: 'invitation.revoked',
    params: InvitationParams,
    success: { status: 200, schema: RevokedInvitation },
  },
} as const satisfies Record<string, DashboardOperation>
