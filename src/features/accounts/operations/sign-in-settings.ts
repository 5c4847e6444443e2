/** How people sign in to the server, as operators see and change it on the dashboard. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Line, Nullable } from '../../../base/api/schema.ts'
import { TrialFinding } from '../../../base/api/trial.ts'
import { SecondFactorRuleBody, SecondFactorRuleView } from './organization-security.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

/** Roles of people who join by their e-mail domain; nobody becomes an owner that way. */
const JOINING_ROLES = ['viewer', 'editor', 'admin'] as const
const MAX_DOMAINS = 50

const Issuer = Line(500, {
  examples: ['https://login.example.com/realms/docs'],
  description: 'Address of the provider, the part before /.well-known/openid-configuration.',
})
const JoiningRole = Type.Enum([...JOINING_ROLES], {
  description: 'Of those who join by their e-mail domain.',
})
const VouchesForDomains = Type.Boolean({
  description:
    'Whether addresses of the domains count as verified where the provider leaves email_verified out. False: they are refused.',
})
const AsksSecondFactor = Type.Boolean({
  description:
    'Whether the provider asks for a second factor itself. False: the codes of the account are asked for.',
})
const MailDomain = Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] })
const OrganizationId = Type.String({ minLength: 1, maxLength: 64 })

const StoredSecret = Nullable(
  Type.Object(
    {
      lastFour: Nullable(Type.String()),
      setAt: Nullable(DateTime),
      isUsable: Type.Boolean({
        description: 'False when it was given for another issuer, or the secret of the node is another one.',
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
      description: 'Of e-mail addresses: only those are taken, and they join at their first sign-in.',
    }),
    role: JoiningRole,
    vouchesForDomains: VouchesForDomains,
    asksSecondFactor: AsksSecondFactor,
    secret: StoredSecret,
    redirectUrl: Type.String({ description: 'To be registered at the provider.' }),
  },
  closed('OrganizationProvider'),
)
export type OrganizationProvider = Static<typeof OrganizationProvider>

export const InstanceSignIn = Type.Object(
  {
    source: Type.Enum(['environment', 'dashboard', 'none'], {
      description: 'What names the provider. What the environment says is not changed here.',
    }),
    variables: Type.Array(Type.String(), { description: 'Of the environment, that name it.' }),
    issuer: Nullable(Type.String({ description: 'Null: there is no single sign-on.' })),
    clientId: Nullable(Type.String()),
    name: Type.String({ description: 'What the button says.' }),
    domains: Type.Array(Type.String(), {
      description: 'Of e-mail addresses, whose people join without an invitation at their first sign-in.',
    }),
    role: JoiningRole,
    organizationId: Nullable(Type.String({ description: 'That they join; null: the oldest of the server.' })),
    vouchesForDomains: VouchesForDomains,
    asksSecondFactor: AsksSecondFactor,
    secret: StoredSecret,
    redirectUrl: Type.String({ description: 'To be registered at the provider.' }),
    organizations: Type.Array(OrganizationProvider, {
      description: 'Providers of organizations, for people of their domains.',
    }),
    passwords: Type.Boolean({ description: 'Whether people may sign in with a password.' }),
    secondFactor: SecondFactorRuleView,
    changedBy: Nullable(Type.String({ description: 'Name of the operator who changed it last.' })),
    changedAt: Nullable(DateTime),
  },
  closed('InstanceSignIn'),
)
export type InstanceSignIn = Static<typeof InstanceSignIn>

const PROVIDER = {
  issuer: Nullable(Issuer),
  clientId: Nullable(Line(500)),
  name: Line(60),
  role: JoiningRole,
  vouchesForDomains: Type.Optional(VouchesForDomains),
  asksSecondFactor: Type.Optional(AsksSecondFactor),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        'Sealed at rest, sent to the provider only, in no answer. Left out: stays, unless the issuer is another one.',
    }),
  ),
}

export const InstanceProviderBody = Type.Object(
  {
    ...PROVIDER,
    domains: Type.Array(MailDomain, { maxItems: MAX_DOMAINS }),
    organizationId: Nullable(OrganizationId),
  },
  closed('ChangeInstanceProvider'),
)
export type InstanceProviderBody = Static<typeof InstanceProviderBody>

export const ProviderConnectionTest = Type.Object(
  {
    faults: Type.Array(TrialFinding, {
      description: 'One for each thing that keeps people from signing in; empty: none was found.',
    }),
    notes: Type.Array(TrialFinding, { description: 'What could not be seen without a person.' }),
  },
  closed('ProviderTrial'),
)
export type ProviderConnectionTest = Static<typeof ProviderConnectionTest>

export const InstanceSignInBody = Type.Object(
  { passwords: Type.Optional(Type.Boolean()), secondFactor: Type.Optional(SecondFactorRuleBody) },
  closed('ChangeInstanceSignIn'),
)
export type InstanceSignInBody = Static<typeof InstanceSignInBody>

export const OrganizationProviderBody = Type.Object(
  {
    organizationId: OrganizationId,
    ...PROVIDER,
    domains: Type.Array(MailDomain, { minItems: 1, maxItems: MAX_DOMAINS }),
  },
  closed('ChangeOrganizationProvider'),
)
export type OrganizationProviderBody = Static<typeof OrganizationProviderBody>

const PATH = '/internal/instance/sign-in'
const ORGANIZATION_PATH = `${PATH}/organizations`

export const INSTANCE_SIGN_IN_OPERATIONS = {
  getInstanceSignIn: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'How people sign in to the server, without secrets',
    permission: 'instance',
    success: { status: 200, schema: InstanceSignIn },
  },
  updateInstanceProvider: {
    ...ROW,
    method: 'PATCH',
    path: `${PATH}/provider`,
    summary: 'Change the provider of single sign-on, on all nodes at once',
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
    summary: 'Look at a provider of single sign-on before it is saved',
    audit: 'instance.provider_tested',
    permission: 'instance',
    body: InstanceProviderBody,
    success: { status: 200, schema: ProviderConnectionTest },
  },
  updateOrganizationProvider: {
    ...ROW,
    method: 'PATCH',
    path: ORGANIZATION_PATH,
    summary: 'Change the provider of single sign-on of one organization; without an issuer it is taken away',
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
    summary: 'Look at a provider of an organization before it is saved',
    audit: 'instance.provider_tested',
    permission: 'instance',
    body: OrganizationProviderBody,
    success: { status: 200, schema: ProviderConnectionTest },
  },
  updateInstanceSignIn: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Change by what people may sign in to the server',
    needsFresh: true,
    audit: 'instance.sign_in_changed',
    permission: 'instance',
    body: InstanceSignInBody,
    success: { status: 200, schema: InstanceSignIn },
  },
} as const satisfies Record<string, DashboardOperation>
