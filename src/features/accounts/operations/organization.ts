/** Dashboard operations on the organization: name, plan and usage, API keys, the audit log. */

import { type Static, Type } from 'typebox'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { type DashboardOperation, KEY_KINDS, DASHBOARD_ROW as ROW } from '../../../base/api/operation.ts'
import {
  MAX_RETENTION_DAYS,
  ORGANIZATION_RETENTION_KINDS,
  type OrganizationRetentionKind,
  STORAGE_HOLDER_LABELS,
} from '../../../base/api/retention.ts'
import { ROLES } from '../../../base/api/roles.ts'
import { CsvQuery, DateTime, Line, Nullable, PageQuery } from '../../../base/api/schema.ts'

const closedObject = (title: string) => ({ additionalProperties: false, title })

const Plan = Type.Enum(['free', 'pro', 'enterprise'])

export const LimitUse = Type.Object(
  {
    name: Type.Enum(['analytics', 'agentJobs', 'exportStarts', 'newKeys']),
    projectId: Nullable(
      Type.String({ description: 'Set for limits that apply to each project separately.' }),
    ),
    limit: Type.Integer({ minimum: 0 }),
    used: Type.Integer({ minimum: 0, description: 'Requests in the current window.' }),
    windowSeconds: Type.Integer({ minimum: 1 }),
    resetSeconds: Type.Integer({ minimum: 0, description: 'Seconds until more requests are available.' }),
  },
  { additionalProperties: false },
)
export type LimitUse = Static<typeof LimitUse>

const STORAGE_KINDS = Object.keys(STORAGE_HOLDER_LABELS) as (keyof typeof STORAGE_HOLDER_LABELS)[]

const RetentionDays = Type.Object(
  {
    kind: Type.Enum([...ORGANIZATION_RETENTION_KINDS]),
    days: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: MAX_RETENTION_DAYS,
        description: "Days, set by the organization; 0: forever; null: the operator's default.",
      }),
    ),
    usualDays: Type.Integer({ minimum: 0, description: "The operator's default; 0: forever." }),
  },
  { additionalProperties: false },
)

export const OrganizationStorage = Type.Object(
  {
    measuredAt: Nullable({ ...DateTime, description: 'When the last sweep ended; null: none yet.' }),
    use: Type.Array(
      Type.Object(
        {
          holder: Type.Enum(STORAGE_KINDS),
          objects: Type.Integer({ minimum: 0 }),
          bytes: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false },
      ),
      { description: 'Storage used only by this organization, without objects shared with others.' },
    ),
    retention: Type.Array(RetentionDays),
  },
  closedObject('OrganizationStorage'),
)
export type OrganizationStorage = Static<typeof OrganizationStorage>

const Choice = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 0,
      maximum: MAX_RETENTION_DAYS,
      description: "Days; 0: forever; null: the operator's default.",
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
        description: 'Longest allowed lifetime of an API key, in days; null: no limit.',
      }),
    ),
    apiKeyCount: Type.Integer({ minimum: 0, description: 'Number of active keys.' }),
    limits: Type.Array(LimitUse),
    storage: OrganizationStorage,
    createdAt: DateTime,
  },
  closedObject('OrganizationDetail'),
)
export type OrganizationDetail = Static<typeof OrganizationDetail>

export const UpdateOrganizationBody = Type.Object(
  {
    name: Type.Optional(Line(NAME_CHARACTER_LIMITS.organization)),
    plan: Type.Optional(Plan),
    maxKeyDays: Type.Optional(
      Nullable(
        Type.Integer({
          enum: [7, 30, 60, 90],
          description:
            'Longest allowed lifetime of an API key, in days. Existing keys that expire later are shortened to this many days from now.',
        }),
      ),
    ),
    retention: Type.Optional(RetentionChoice),
  },
  closedObject('UpdateOrganization'),
)
export type UpdateOrganizationBody = Static<typeof UpdateOrganizationBody>

const Scope = Type.Enum(['read', 'write'])

export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum([...KEY_KINDS], {
      description: '`assistant`: can only read the public text of its project.',
    }),
    lastFour: Type.String(),
    scopes: Type.Array(Scope, { description: 'Empty for assistant keys.' }),
    allowList: Type.Array(Type.String(), {
      description: 'IP addresses and CIDR ranges; empty: any address.',
    }),
    createdAt: DateTime,
    expiresAt: Nullable(DateTime),
    revokedAt: Nullable(DateTime),
    lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Accurate to the minute.' })),
    state: Type.Enum(['valid', 'expired', 'revoked']),
    maker: Nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        {
          additionalProperties: false,
          description: 'The member who created the key or took it over; null: the operator.',
        },
      ),
    ),
    role: Nullable(
      Type.Enum([...ROLES], {
        description:
          "Role that limits the key in addition to its scopes, at most its creator's; null: the creator's role.",
      }),
    ),
    projects: Nullable(
      Type.Array(
        Type.Object({ id: Type.String(), name: Nullable(Type.String()) }, { additionalProperties: false }),
        {
          description:
            'Projects that the key can access; null: all. The name is null if the project no longer exists.',
        },
      ),
    ),
  },
  closedObject('ApiKey'),
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyList = Type.Object(
  { keys: Type.Array(ApiKey, { description: 'Newest first, including expired and revoked keys.' }) },
  closedObject('ApiKeyList'),
)
export type ApiKeyList = Static<typeof ApiKeyList>

export const CreateApiKeyBody = Type.Object(
  {
    name: Line(NAME_CHARACTER_LIMITS.key),
    kind: Type.Optional(
      Type.Enum([...KEY_KINDS], {
        default: 'admin',
        description: 'An assistant key requires exactly one project and no scopes.',
      }),
    ),
    scopes: Type.Optional(Type.Array(Scope, { minItems: 1, maxItems: 2, uniqueItems: true })),
    expiresInDays: Type.Optional(
      Nullable(
        Type.Integer({ enum: [7, 30, 60, 90], description: 'Default: 90. Null: the key never expires.' }),
      ),
    ),
    allowList: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
    projectIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Projects that the key can access. Default: all, including future ones.',
      }),
    ),
  },
  closedObject('CreateApiKey'),
)
export type CreateApiKeyBody = Static<typeof CreateApiKeyBody>

export const CreatedApiKey = Type.Object(
  {
    key: ApiKey,
    text: Type.String({ description: 'The key. Shown only once.' }),
  },
  closedObject('CreatedApiKey'),
)
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const ApiKeyParams = Type.Object({ keyId: Type.String({ minLength: 1, maxLength: 64 }) })

const AUDIT_FILTERS = {
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'ID of a key or member, `cli` or `system`.' }),
  ),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)?$',
      maxLength: 64,
      description: 'An action, or its prefix before the dot.',
      examples: ['api_key.created', 'project'],
    }),
  ),
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Case-insensitive part of the ID, name or details of the changed object. Searches the newest 50,000 rows that match the other filters.',
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
    actor: Type.String({ description: 'ID of a key or member, `cli` or `system`.' }),
    actorName: Nullable(Type.String({ description: 'Name of the member or key, if it exists.' })),
    action: Type.String({ examples: ['api_key.created'] }),
    subject: Type.String({ description: 'ID or host name of the changed object.' }),
    subjectName: Nullable(
      Type.String({ description: 'Name of the changed object, if it still exists. Untrusted text.' }),
    ),
    projectId: Nullable(Type.String({ description: 'Project of the changed object, if it still exists.' })),
    projectName: Nullable(Type.String()),
    details: Type.Object({}, { additionalProperties: true, description: 'Never contains secrets.' }),
  },
  closedObject('AuditRow'),
)
export type AuditRow = Static<typeof AuditRow>

export const AuditList = Type.Object(
  {
    rows: Type.Array(AuditRow, { description: 'Newest first.' }),
    nextCursor: Nullable(Type.String()),
    hasMore: Type.Boolean(),
  },
  closedObject('AuditList'),
)
export type AuditList = Static<typeof AuditList>

export const ORGANIZATION_OPERATIONS = {
  getOrganization: {
    ...ROW,
    method: 'GET',
    path: '/internal/organization',
    summary: "Get the organization's name, plan, limits with their use, and storage",
    permission: 'read',
    success: { status: 200, schema: OrganizationDetail },
  },
  updateOrganization: {
    ...ROW,
    method: 'PATCH',
    path: '/internal/organization',
    summary: 'Update the name, plan or retention periods of the organization',
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
    summary: 'Create an API key; the key itself is returned only once',
    audit: 'api_key.created',
    permission: 'apiKeys',
    body: CreateApiKeyBody,
    success: { status: 201, schema: CreatedApiKey, isSecret: true },
  },
  revokeApiKey: {
    ...ROW,
    method: 'POST',
    path: '/internal/api-keys/{keyId}/revoke',
    summary: 'Revoke a key immediately on all servers',
    audit: 'api_key.revoked',
    ownerTable: 'api_keys',
    needsRoom: false,
    permission: 'apiKeys',
    params: ApiKeyParams,
    success: { status: 200, schema: ApiKey },
  },
  listAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit',
    summary: 'List audit log entries, newest first',
    permission: 'audit',
    query: AuditQuery,
    success: { status: 200, schema: AuditList },
  },
  exportAudit: {
    ...ROW,
    method: 'GET',
    path: '/internal/audit/export',
    summary: 'Export matching audit log entries, newest first',
    permission: 'audit',
    query: AuditExportQuery,
    success: {
      status: 200,
      contentTypes: ['application/x-ndjson', 'text/csv'],
      schema: Type.String({ description: 'One AuditRow per line, as JSON or CSV.' }),
      headers: { 'Content-Disposition': 'File name for the download.' },
    },
  },
} as const satisfies Record<string, DashboardOperation>
