/**
 * Operations of the operator, called only by the command line on the server's machine: organizations, members, audit.
 */

import { type Static, Type } from 'typebox'
import { LINE_PATTERN } from '../../../base/api/line.ts'
import { type DashboardOperation, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import { PLANS } from '../../../base/api/plans.ts'
import { DateTime, Nullable } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })
const MACHINE = { ...ROW, permission: 'machine' } as const
const RECORDED_PER_ORGANIZATION = { none: 'Recorded in each affected organization.' } as const

const Organization = Type.Object(
  {
    organizationId: Type.String(),
    name: Type.String(),
    plan: Type.Enum([...PLANS]),
    createdAt: DateTime,
  },
  closedObject('Organization'),
)
export type Organization = Static<typeof Organization>

const Operator = Type.Object(
  { email: Type.String(), name: Type.String(), since: DateTime },
  closedObject('Operator'),
)
const OperatorChange = Type.Object(
  { email: Type.String(), changed: Type.Boolean({ description: 'False: no change was needed.' }) },
  closedObject('OperatorChange'),
)
const EmailBody = Type.Object(
  { email: Type.String({ pattern: LINE_PATTERN, maxLength: 320 }) },
  closedObject('PersonNamed'),
)

const AuditVerification = Type.Object(
  {
    organizationId: Type.String(),
    rows: Type.Integer({ minimum: 0, description: 'Number of verified rows.' }),
    checkpoint: Type.Integer({
      minimum: 0,
      description: 'Number of the last row removed by retention; 0: none.',
    }),
    head: Nullable(
      Type.Object({ number: Type.Integer(), hash: Type.String() }, { additionalProperties: false }),
    ),
    faults: Type.Array(Type.String(), { description: 'At most 100; empty: the log is intact.' }),
  },
  closedObject('AuditVerification'),
)

export const OPERATOR_OPERATIONS = {
  listOrganizations: {
    ...MACHINE,
    method: 'GET',
    path: '/internal/operator/organizations',
    summary: 'List all organizations, oldest first',
    success: {
      status: 200,
      schema: Type.Object({ organizations: Type.Array(Organization) }, closedObject('OrganizationList')),
    },
  },
  createOrganization: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/organizations',
    summary: 'Create an organization',
    audit: RECORDED_PER_ORGANIZATION,
    body: Type.Object(
      {
        name: Type.String({ pattern: LINE_PATTERN, maxLength: 1000 }),
        plan: Type.Optional(Type.String({ pattern: LINE_PATTERN, maxLength: 100 })),
      },
      closedObject('CreateOrganization'),
    ),
    success: { status: 201, schema: Organization },
  },
  listOperators: {
    ...MACHINE,
    method: 'GET',
    path: '/internal/operator/operators',
    summary: 'List the operators of the server',
    success: {
      status: 200,
      schema: Type.Object({ operators: Type.Array(Operator) }, closedObject('OperatorList')),
    },
  },
  addOperator: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/operators',
    summary: 'Make a user an operator of the server',
    audit: RECORDED_PER_ORGANIZATION,
    body: EmailBody,
    success: { status: 200, schema: OperatorChange },
  },
  removeOperator: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/operators/remove',
    summary: 'Remove an operator',
    audit: RECORDED_PER_ORGANIZATION,
    body: EmailBody,
    success: { status: 200, schema: OperatorChange },
  },
  createPasswordLink: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/password-links',
    summary: 'Create a password reset link for a user',
    audit: RECORDED_PER_ORGANIZATION,
    body: Type.Object(
      { ...EmailBody.properties, dropsSecondFactor: Type.Optional(Type.Boolean()) },
      closedObject('CreatePasswordLink'),
    ),
    success: {
      status: 201,
      schema: Type.Object({ email: Type.String(), link: Type.String() }, closedObject('PasswordLink')),
      isSecret: true,
    },
  },
  resetSignIn: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/sign-in/reset',
    summary: 'Turn password sign-in back on',
    audit: RECORDED_PER_ORGANIZATION,
    success: { status: 200, schema: Type.Object({ passwords: Type.Boolean() }, closedObject('SignInReset')) },
  },
  verifyAudit: {
    ...MACHINE,
    method: 'GET',
    path: '/internal/operator/audit/verification',
    summary: 'Verify the audit log of an organization',
    query: Type.Object(
      { anchor: Type.Optional(Type.String({ pattern: '^\\d{1,15}:[0-9a-f]{64}$' })) },
      { additionalProperties: false },
    ),
    success: { status: 200, schema: AuditVerification },
  },
  pruneAudit: {
    ...MACHINE,
    method: 'POST',
    path: '/internal/operator/audit/prune',
    summary: 'Remove old rows of the audit log of an organization',
    audit: RECORDED_PER_ORGANIZATION,
    body: Type.Object({ before: DateTime }, closedObject('PruneAudit')),
    success: {
      status: 200,
      schema: Type.Object(
        { organizationId: Type.String(), rows: Type.Integer({ minimum: 0 }) },
        closedObject('PrunedAudit'),
      ),
    },
  },
} as const satisfies Record<string, DashboardOperation>
