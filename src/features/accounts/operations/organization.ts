/** Dashboard operations on the organization: name, plan and usage, API keys, the audit log. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTERS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, KEY_KINDS, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import {
  HOLDERS,
  MAX_RETENTION_DAYS,
  ORGANIZATION_RETENTION_KINDS,
  type OrganizationRetentionKind,
} from '../../../base/api/retention.ts'
import { ROLES } from '../../../base/api/roles.ts'
import { CsvQuery, DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'

const closed = (title: string) => ({ additionalProperties: false, title })

const Plan = Type.Enum(['free', 'pro', 'enterprise'])

export const LimitUse = Type.Object(
  {
    name: Type.Enum(['analytics', 'agentJobs', 'exportStarts', 'newKeys']),
    projectId: Nullable(Type.String({ description: 'For limits that each project has of its own.' })),
    limit: Type.Integer({ minimum: 0 }),
    used: Type.Integer({ minimum: 0, description: 'In the window that ends now.' }),
    windowSeconds: Type.Integer({ minimum: 1 }),
    resetSeconds: Type.Integer({ minimum: 0, description: 'Until more is free.' }),
  },
  { additionalProperties: false },
)
export type LimitUse = Static<typeof LimitUse>

const STORAGE_KINDS = Object.keys(HOLDERS) as (keyof typeof HOLDERS)[]

/** Retention of one kind of data: the organization's choice, and the default without one. */
const RetentionDays = Type.Object(
  {
    kind: Type.Enum([...ORGANIZATION_RETENTION_KINDS]),
    days: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_RETENTION_DAYS,
        description: 'Chosen by the organization; 0: for ever; null: as the operator has it.',
      }),
    ),
    usualDays: Type.Integer({ minimum: 0, description: "The operator's; 0: for ever." }),
  },
  { additionalProperties: false },
)

export const OrganizationStorage = Type.Object(
  {
    measuredAt: Nullable({ ...DateTime, description: 'End of the last sweep; null: there was none yet.' }),
    use: Type.Array(
      Type.Object(
        {
          holder: Type.Enum(STORAGE_KINDS),
          objects: Type.Integer({ minimum: 0 }),
          bytes: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false },
      ),
      { description: 'What this organization alone holds; what it shares with others is not counted.' },
    ),
    retention: Type.Array(RetentionDays),
  },
  closed('OrganizationStorage'),
)
export type OrganizationStorage = Static<typeof OrganizationStorage>

const Choice = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_RETENTION_DAYS,
      description: 'Days; 0: for ever; null: as the operator has it.',
    }),
  ),
)

/** Kinds that are left out stay unchanged. */
const RetentionChoice = Type.Object(
  Object.fromEntries(ORGANIZATION_RETENTION_KINDS.map((kind) => [kind, Choice])) as Record<
    OrganizationRetentionKind,
    typeof Choice
  >,
  { additionalProperties: false },
)

export const OrganizationDetail = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    plan: Plan,
    capabilities: Type.Object({ static_export: Type.Boolean() }, { additionalProperties: false }),
    projectCount: Type.Integer({ minimum: 0 }),
    maxKeyDays: Nullable(
      Type.Integer({
        enum: [7, 30, 60, 90],
        description: 'The longest that an API key may live; null: for ever.',
      }),
    ),
    apiKeyCount: Type.Integer({ minimum: 0, description: 'Keys that can be used now.' }),
    limits: Type.Array(LimitUse),
    storage: OrganizationStorage,
    createdAt: DateTime,
  },
  closed('OrganizationDetail'),
)
export type OrganizationDetail = Static<typeof OrganizationDetail>

export const UpdateOrganizationBody = Type.Object(
  {
    name: Type.Optional(Line(NAME_CHARACTERS.organization)),
    plan: Type.Optional(Plan),
    maxKeyDays: Type.Optional(
      Nullable(
        Type.Integer({
          enum: [7, 30, 60, 90],
          description:
            'The longest that an API key may live; keys that would live longer end so many days from now.',
        }),
      ),
    ),
    retention: Type.Optional(RetentionChoice),
  },
  closed('UpdateOrganization'),
)
export type UpdateOrganizationBody = Static<typeof UpdateOrganizationBody>

const Scope = Type.Enum(['read', 'write'])

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum([...KEY_KINDS], {
      description: '`assistant`: it reaches the public text of its one project, and nothing else.',
    }),
    lastFour: Type.String(),
    scopes: Type.Array(Scope, { description: 'Of an assistant key there are none.' }),
    allowList: Type.Array(Type.String(), { description: 'Addresses and CIDR ranges; empty: from anywhere.' }),
    createdAt: DateTime,
    expiresAt: Nullable(DateTime),
    revokedAt: Nullable(DateTime),
    lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Right to the minute.' })),
    state: Type.Enum(['valid', 'expired', 'revoked']),
    maker: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        {
          additionalProperties: false,
          description: 'The member who made it, or took it over; null: the operator.',
        },
      ),
    ),
    role: Nullable(
      Type.Enum([...ROLES], {
        description: "What it may beside its scopes: its maker's role, or less; null: no less.",
      }),
    ),
    projects: Nullable(
      Type.Array(
        Type.Object({ id: Type.String(), name: Nullable(Type.String()) }, { additionalProperties: false }),
        { description: 'The only ones that it may be used for; null: all. A name of null: it is no more.' },
      ),
    ),
  },
  closed('ApiKey'),
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = Type.Object(
  { keys: Type.Array(ApiKey, { description: 'Newest first, expired and revoked ones too.' }) },
  closed('ApiKeyList'),
)
export type ApiKeyList = Static<typeof ApiKeyList>

export const CreateApiKeyBody = Type.Object(
  {
    name: Line(NAME_CHARACTERS.key),
    kind: Type.Optional(
      Type.Enum([...KEY_KINDS], {
        default: 'admin',
        description: 'An assistant key has one project and no scopes.',
      }),
    ),
    scopes: Type.Optional(Type.Array(Scope, { minItems: 1, maxItems: 2, uniqueItems: true })),
    expiresInDays: Type.Optional(
      Nullable(Type.Integer({ enum: [7, 30, 60, 90], description: '90 when left out; null: never.' })),
    ),
    allowList: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
    projectIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'The only projects that it may be used for; all, those to come too, when left out.',
      }),
    ),
  },
  closed('CreateApiKey'),
)
export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>

export const CreatedApiKey = Type.Object(
  {
    key: ApiKey,
    text: Type.String({ description: 'The key itself: in this answer, and nowhere afterwards.' }),
  },
  closed('CreatedApiKey'),
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const ApiKeyParams = Type.Object({ keyId: Type.String({ minLength: 1, maxLength: 64 }) })

const AUDIT_FILTERS = {
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Id of a key or member, `cli` or `system`.' }),
  ),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)?$',
      maxLength: 64,
      description: 'An action, or the part before its dot.',
      examples: ['api_key.created', 'project'],
    }),
  ),
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A part of the id, the name or the details of what was changed; case does not matter. Looks at the newest 50,000 rows that the other filters match.',
    }),
  ),
  dateFrom: Type.Optional(Type.String({ description: 'ISO 8601 or `YYYY-MM-DD`; inclusive.' })),
  dateTo: Type.Optional(Type.String({ description: 'ISO 8601 or `YYYY-MM-DD`; exclusive.' })),
}

export const AuditQuery = Type.Object({ ...AUDIT_FILTERS, ...PageQuery }, { additionalProperties: false })
export type AuditQuery = Static<typeof AuditQuery>

export const AuditExportQuery = Type.Object(
  { ...AUDIT_FILTERS, format: Type.Optional(Type.Enum(['jsonl', 'csv'], { default: 'jsonl' })), ...CsvQuery },
  { additionalProperties: false },
)
export type AuditExportQuery = Static<typeof AuditExportQuery>

export const AuditRow = Type.Object(
  {
    id: Type.String(),
    at: DateTime,
    actor: Type.String({ description: 'Id of a key or member, `cli` or `system`.' }),
    actorName: Nullable(Type.String({ description: 'Of the member or key, while there is one.' })),
    action: Type.String({ examples: ['api_key.created'] }),
    subject: Type.String({ description: 'Id or host name of what was changed.' }),
    subjectName: Nullable(
      Type.String({ description: 'What people know it by, while it is there; may hold text of others.' }),
    ),
    projectId: Nullable(Type.String({ description: 'The project that it belongs to, while it is there.' })),
    projectName: Nullable(Type.String()),
    details: Type.Object({}, { additionalProperties: true, description: 'Never a secret.' }),
  },
  closed('AuditRow'),
)
export type AuditRow = Static<typeof AuditRow>

export const AuditList = Type.Object(
  {
    rows: Type.Array(AuditRow, { description: 'Newest first.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closed('AuditList'),
)
export type AuditList = Static<typeof AuditList>

export const ORGANIZATION_OPERATIONS = {
  getOrganization: {
    ...ROW,
    method: 'GET',
    path: '/internal/organization',
    summary: 'Name and plan of the organization, its limits with their use, and what it stores',
    permission: 'read',
    success: { status: 200, schema: OrganizationDetail },
  },
  updateOrganization: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/organization',
    summary: 'Change the name, the plan, or how long things are kept',
    audit: 'organization.updated',
    permission: 'organization',
    body: UpdateOrganizationBody,
    success: { status: 200, schema: OrganizationDetail },
  },
  listApiKeys: {
    ...ROW,
    method: 'GET',
    path: '/internal/api-keys',
    summary: 'List API keys',
    permission: 'apiKeys',
    success: { status: 200, schema: ApiKeyList },
  },
  createApiKey: {
    ...ROW,
    method: 'POST',
    path: '/internal/api-keys',
    summary: 'Make an API key; the answer holds its text, and no other does',
    audit: 'api_key.created',
    permission: 'apiKeys',
    body: CreateApiKeyBody,
    success: { status: 201, schema: CreatedApiKey, isSecret: true },
  },
  revokeApiKey: {
    ...ROW,
    method: 'POST',
    path: '/internal/api-keys/{keyId}/revoke',
    summary: 'Revoke a key, on all servers at once',
    audit: 'api_key.revoked',
    needsRoom: false,
    permission: 'apiKeys',
    params: ApiKeyParams,
    success: { status: 200, schema: ApiKey },
  },
  listAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit',
    summary: 'List who changed what, newest first',
    permission: 'audit',
    query: AuditQuery,
    success: { status: 200, schema: AuditList },
  },
  exportAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit/export',
    summary: 'Stream the audit log that the filters match, newest first',
    permission: 'audit',
    query: AuditExportQuery,
    success: {
      status: 200,
      contentTypes: ['application/x-ndjson', 'text/csv'],
      schema: Type.String({ description: 'Each line an AuditRow as JSON, or a line of CSV.' }),
      headers: { 'Content-Disposition': 'A name for the file.' },
    },
  },
} as const satisfies Record<string, DashboardOperation>
