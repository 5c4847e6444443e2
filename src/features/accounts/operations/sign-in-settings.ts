/** Sign-in settings of the server, as operators view and change them on the dashboard. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'
import { SecondFactorRuleBody, SecondFactorRuleView } from './organization-security.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

/** Roles of users who join by their email domain; they never become owners. */
const JOINING_ROLES = ['viewer', 'editor', 'admin'] as const
const MAX_DOMAINS = 50

const Issuer = Line(500, {
  examples: ['https://login.example.com/realms/docs'],
  description: 'Issuer URL of the provider, the part before /.well-known/openid-configuration.',
})
const JoiningRole = Type.Enum([...JOINING_ROLES], {
  description: 'Role of users who join by their email domain.',
})
const VouchesForDomains = Type.Boolean({
  description:
    'Whether email addresses in these domains count as verified if the provider omits email_verified. False: they are rejected.',
})
const RequiresSecondFactor = Type.Boolean({
  description:
    "Whether the provider enforces a second factor itself. False: Octavo asks for the account's second factor.",
})
const MailDomain = Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] })
const OrganizationId = Type.String({ minLength: 1, maxLength: 64 })

const StoredSecret = Nullable(
  Type.Object(
    {
      lastFour: Nullable(Type.String()),
      setAt: Nullable(DateTime),
      isUsable: Type.Boolean({
        description: "False if it was saved for another issuer, or if the node's secret has changed since.",
      }),
    },
    { additionalProperties: false },
  ),
)

export const OrganizationProvider = Type.Object(
  {
    organizationId: Type.String(),
    organizationName: Type.String(),
    issuer: Type.String(),
    clientId: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), {
      description: 'Only users with these email domains are accepted. They join at their first sign-in.',
    }),
    role: JoiningRole,
    vouchesForDomains: VouchesForDomains,
    asksSecondFactor: RequiresSecondFactor,
    secret: StoredSecret,
    redirectUrl: Type.String({ description: 'Redirect URL to register with the provider.' }),
  },
  closedObject('OrganizationProvider'),
)
export type OrganizationProvider = Static<typeof OrganizationProvider>

export const InstanceSignIn = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'Where the provider is set. Environment variables cannot be changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Environment variables that set the provider.' }),
    issuer: Nullable(Type.String({ description: 'Null: single sign-on is off.' })),
    clientId: Nullable(Type.String()),
    name: Type.String({ description: 'Label of the button.' }),
    domains: Type.Array(Type.String(), {
      description: 'Email domains whose users join at their first sign-in, without an invitation.',
    }),
    role: JoiningRole,
    organizationId: Nullable(
      Type.String({ description: 'Organization that these users join; null: the oldest on this server.' }),
    ),
    vouchesForDomains: VouchesForDomains,
    asksSecondFactor: RequiresSecondFactor,
    secret: StoredSecret,
    redirectUrl: Type.String({ description: 'Redirect URL to register with the provider.' }),
    organizations: Type.Array(OrganizationProvider, {
      description: 'Providers configured by organizations, for users in their email domains.',
    }),
    passwords: Type.Boolean({ description: 'Whether people can sign in with a password.' }),
    secondFactor: SecondFactorRuleView,
    changedBy: Nullable(Type.String({ description: 'Operator who last changed these settings.' })),
    changedAt: Nullable(DateTime),
  },
  closedObject('InstanceSignIn'),
)
export type InstanceSignIn = Static<typeof InstanceSignIn>

const PROVIDER = {
  issuer: Nullable(Issuer),
  clientId: Nullable(Line(500)),
  name: Line(60),
  role: JoiningRole,
  vouchesForDomains: Type.Optional(VouchesForDomains),
  asksSecondFactor: Type.Optional(RequiresSecondFactor),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        'Encrypted at rest, sent only to the provider, and never returned. If omitted, it is unchanged, unless the issuer changes.',
    }),
  ),
}

export const InstanceProviderBody = Type.Object(
  {
    ...PROVIDER,
    domains: Type.Array(MailDomain, { maxItems: MAX_DOMAINS }),
    organizationId: Nullable(OrganizationId),
  },
  closedObject('ChangeInstanceProvider'),
)
export type InstanceProviderBody = Static<typeof InstanceProviderBody>

export const ProviderConnectionTest = Type.Object(
  {
    faults: Type.Array(TrialFinding, {
      description: 'Errors that prevent sign-in; empty: none found.',
    }),
    notes: Type.Array(TrialFinding, { description: 'Anything that must be verified by hand.' }),
  },
  closedObject('ProviderTrial'),
)
export type ProviderConnectionTest = Static<typeof ProviderConnectionTest>

export const InstanceSignInBody = Type.Object(
  { passwords: Type.Optional(Type.Boolean()), secondFactor: Type.Optional(SecondFactorRuleBody) },
  closedObject('ChangeInstanceSignIn'),
)
export type InstanceSignInBody = Static<typeof InstanceSignInBody>

export const OrganizationProviderBody = Type.Object(
  {
    organizationId: OrganizationId,
    ...PROVIDER,
    domains: Type.Array(MailDomain, { minItems: 1, maxItems: MAX_DOMAINS }),
  },
  closedObject('ChangeOrganizationProvider'),
)
export type OrganizationProviderBody = Static<typeof OrganizationProviderBody>

const PATH = '/internal/instance/sign-in'
const ORGANIZATION_PATH = `${PATH}/organizations`

export const INSTANCE_SIGN_IN_OPERATIONS = {
  getInstanceSignIn: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'Get the sign-in methods of the server, without secrets',
    permission: 'instance',
    success: { status: 200, schema: InstanceSignIn },
  },
  updateInstanceProvider: {
    ...ROW,
    method: 'PATCH',
    path: `${PATH}/provider`,
    summary: 'Update the single sign-on provider; applies to all nodes immediately',
    needsFresh: true,
    audit: 'instance.provider_changed',
    permission: 'instance',
    body: InstanceProviderBody,
    success: { status: 200, schema: InstanceSignIn },
  },
  testInstanceProvider: {
    ...ROW,
    method: 'POST',
    path: `${PATH}/provider/test`,
    summary: 'Test a single sign-on provider before it is saved',
    audit: 'instance.provider_tested',
    permission: 'instance',
    body: InstanceProviderBody,
    success: { status: 200, schema: ProviderConnectionTest },
  },
  updateOrganizationProvider: {
    ...ROW,
    method: 'PATCH',
    path: ORGANIZATION_PATH,
    summary: 'Update the single sign-on provider of an organization; remove it by omitting the issuer',
    needsFresh: true,
    audit: 'instance.provider_changed',
    permission: 'instance',
    body: OrganizationProviderBody,
    success: { status: 200, schema: InstanceSignIn },
  },
  testOrganizationProvider: {
    ...ROW,
    method: 'POST',
    path: `${ORGANIZATION_PATH}/test`,
    summary: "Test an organization's single sign-on provider before it is saved",
    audit: 'instance.provider_tested',
    permission: 'instance',
    body: OrganizationProviderBody,
    success: { status: 200, schema: ProviderConnectionTest },
  },
  updateInstanceSignIn: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Update the sign-in methods of the server',
    needsFresh: true,
    audit: 'instance.sign_in_changed',
    permission: 'instance',
    body: InstanceSignInBody,
    success: { status: 200, schema: InstanceSignIn },
  },
} as const satisfies Record<string, DashboardOperation>
