/** An organization's security rules for its members: a second factor, and e-mail addresses in its domains. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

export const MAX_GRACE_DAYS = 90

/** Fields that the rules of an organization and of the whole server share. */
const RULE = {
  days: Type.Integer({
    minimum: 0,
    maximum: MAX_GRACE_DAYS,
    description: 'So many days from then on, and from when they join, people may do without.',
  }),
  providerCounts: Type.Boolean({
    description: 'Whether the provider of single sign-on asks for a second factor itself.',
  }),
}

export const SecondFactorRuleView = Nullable(
  Type.Object({ since: DateTime, ...RULE }, { additionalProperties: false }),
)
export const SecondFactorRuleBody = Nullable(
  Type.Object(RULE, { additionalProperties: false, description: 'Null: none is required.' }),
)

export const OrganizationSecurity = Type.Object(
  {
    secondFactor: SecondFactorRuleView,
    mailDomains: Type.Array(Type.String(), {
      description: 'Of e-mail addresses whose people alone may join; empty: anybody who is invited.',
    }),
  },
  closed('OrganizationSecurity'),
)
export type OrganizationSecurity = Static<typeof OrganizationSecurity>

export const OrganizationSecurityBody = Type.Object(
  {
    secondFactor: Type.Optional(SecondFactorRuleBody),
    mailDomains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }), { maxItems: 50 }),
    ),
  },
  closed('ChangeOrganizationSecurity'),
)
export type OrganizationSecurityBody = Static<typeof OrganizationSecurityBody>

const PATH = '/internal/organization/security'

export const ORGANIZATION_SECURITY_OPERATIONS = {
  getOrganizationSecurity: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: 'What the organization asks of its members to sign in',
    permission: 'members',
    success: { status: 200, schema: OrganizationSecurity },
  },
  updateOrganizationSecurity: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Require a second factor, or limit e-mail addresses to domains',
    audit: 'organization.security_changed',
    needsFresh: true,
    permission: 'organization',
    body: OrganizationSecurityBody,
    success: { status: 200, schema: OrganizationSecurity },
  },
} as const satisfies Record<string, DashboardOperation>
