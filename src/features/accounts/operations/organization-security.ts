/** An organization's security rules for its members: a second factor, and email addresses in its domains. */
import { type Static, Type } from 'typebox'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

export const MAX_GRACE_DAYS = 90

const SECOND_FACTOR_RULE_FIELDS = {
  days: Type.Integer({
    minimum: 0,
    maximum: MAX_GRACE_DAYS,
    description: 'Grace period in days, from this change or from the day a person joins.',
  }),
  providerCounts: Type.Boolean({
    description: "Whether the single sign-on provider's own second factor counts.",
  }),
}

export const SecondFactorRuleView = Nullable(
  Type.Object({ since: DateTime, ...SECOND_FACTOR_RULE_FIELDS }, { additionalProperties: false }),
)
export const SecondFactorRuleBody = Nullable(
  Type.Object(SECOND_FACTOR_RULE_FIELDS, {
    additionalProperties: false,
    description: 'Null: no second factor is required.',
  }),
)

export const OrganizationSecurity = Type.Object(
  {
    secondFactor: SecondFactorRuleView,
    mailDomains: Type.Array(Type.String(), {
      description: 'Email domains whose users can join; empty: anyone who is invited.',
    }),
  },
  closedObject('OrganizationSecurity'),
)
export type OrganizationSecurity = Static<typeof OrganizationSecurity>

export const OrganizationSecurityBody = Type.Object(
  {
    secondFactor: Type.Optional(SecondFactorRuleBody),
    mailDomains: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 253, examples: ['example.com'] }), { maxItems: 50 }),
    ),
  },
  closedObject('ChangeOrganizationSecurity'),
)
export type OrganizationSecurityBody = Static<typeof OrganizationSecurityBody>

const PATH = '/internal/organization/security'

export const ORGANIZATION_SECURITY_OPERATIONS = {
  getOrganizationSecurity: {
    ...ROW,
    method: 'GET',
    path: PATH,
    summary: "Get the organization's sign-in requirements",
    permission: 'members',
    success: { status: 200, schema: OrganizationSecurity },
  },
  updateOrganizationSecurity: {
    ...ROW,
    method: 'PATCH',
    path: PATH,
    summary: 'Require a second factor, or restrict email addresses to certain domains',
    audit: 'organization.security_changed',
    needsFresh: true,
    permission: 'organization',
    body: OrganizationSecurityBody,
    success: { status: 200, schema: OrganizationSecurity },
  },
} as const satisfies Record<string, DashboardOperation>
